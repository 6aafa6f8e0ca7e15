"""Job queue: a server that hands out jobs to workers."""

import os

from jobqueue.server import serve

if __name__ == "__main__":
    serve(int(os.environ["PORT"]), "journal.jsonl")
