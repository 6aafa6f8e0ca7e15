"""The HTTP side: as much of HTTP as JSON over it takes, with a connection for each request, as in HTTP/1.0."""

import json
import socket
from threading import Lock, Thread

from ledger_service.api import Api, Request
from ledger_service.errors import Refusal
from ledger_service.journal import Journal

BACKLOG = 128
REASONS = {
    200: "OK",
    201: "Created",
    202: "Accepted",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    422: "Unprocessable Entity",
}


class Service:
    """Answers one request at a time, whichever connection it came by."""

    def __init__(self, journal):
        self.api = Api(Journal(journal))
        self.lock = Lock()

    def answer(self, request):
        try:
            with self.lock:
                status, value, fields = self.api.answer(request)
        except Refusal as refusal:
            status, value, fields = refusal.status, refusal.to_json(), {}
        body = json.dumps(value).encode()
        lines = [f"HTTP/1.0 {status} {REASONS[status]}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {field}" for name, field in fields.items()]
        return "\r\n".join([*lines, "", ""]).encode() + body


def serve(port, journal):
    """Serve on this port until killed."""
    service = Service(journal)
    with socket.create_server(("127.0.0.1", port), backlog=BACKLOG) as listener:
        while True:
            connection, _ = listener.accept()
            Thread(target=converse, args=(connection, service), daemon=True).start()


def converse(connection, service):
    """Answer the request that comes by a connection."""
    with connection, connection.makefile("rb") as stream:
        try:
            request = read_request(stream)
            if request:
                connection.sendall(service.answer(request))
        except OSError:
            pass  # The other side is gone, and with it whoever waited for an answer.


def read_request(stream):
    """Return the request, or None if it is not whole; names of headers become lower-case."""
    words = stream.readline().decode("latin-1").split()
    headers = read_headers(stream)
    if len(words) != 3 or headers is None:
        return None
    length = headers.get("content-length", "0")
    if not length.isdecimal():
        return None
    body = stream.read(int(length))
    return Request(words[0], words[1], headers, body) if len(body) == int(length) else None


def read_headers(stream):
    headers = {}
    for line in iter(stream.readline, b""):
        text = line.decode("latin-1").rstrip("\r\n")
        if not text:
            return headers
        name, _, value = text.partition(":")
        name, value = name.lower(), value.strip(" \t")
        # Several fields of one name are one list.
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return None
