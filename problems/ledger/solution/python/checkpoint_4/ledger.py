"""Ledger: a server that keeps books in double entry."""

import os

from ledger_service.server import serve

if __name__ == "__main__":
    serve(int(os.environ["PORT"]), "journal.jsonl")
