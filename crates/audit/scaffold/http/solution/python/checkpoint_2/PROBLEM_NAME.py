"""Keeps notes, and shows them over HTTP."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refusal(Exception):
    """What a request is answered with that cannot be carried out: a status and a code."""


class Notes:
    def __init__(self):
        self.versions = []

    def answer(self, method, path, body):
        if (method, path) == ("GET", "/health"):
            return 200, {}
        if (method, path) == ("POST", "/notes"):
            self.versions.append([text_of(body)])
            return 201, self.shown(len(self.versions))
        if method == "GET":
            return 200, self.shown(self.found(path))
        if method == "PUT":
            text, number = text_of(body), self.found(path)
            self.versions[number - 1].append(text)
            return 200, self.shown(number)
        raise Refusal(404, "not_found")

    def found(self, path):
        number = path.removeprefix("/notes/")
        if number.isdecimal() and 1 <= int(number) <= len(self.versions):
            return int(number)
        raise Refusal(404, "not_found")

    def shown(self, number):
        versions = self.versions[number - 1]
        return {"id": number, "text": versions[-1], "version": len(versions)}


def text_of(body):
    """The text of a note, which is all that a note is."""
    try:
        note = json.loads(body)
    except ValueError:
        raise Refusal(400, "bad_note") from None
    if not isinstance(note, dict) or set(note) != {"text"} or not isinstance(note["text"], str):
        raise Refusal(400, "bad_note")
    return note["text"]


def serve(port):
    notes = Notes()

    class Handler(BaseHTTPRequestHandler):
        def handle_request(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                status, value = notes.answer(self.command, self.path, body)
            except Refusal as refusal:
                status, value = refusal.args[0], {"error": refusal.args[1]}
            answer = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST = do_PUT = handle_request

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    serve(int(os.environ["PORT"]))
