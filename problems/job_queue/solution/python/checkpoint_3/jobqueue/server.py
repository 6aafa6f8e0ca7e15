"""The HTTP side."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import urlsplit

from jobqueue.api import Api
from jobqueue.board import Board
from jobqueue.errors import Refusal
from jobqueue.journal import Journal
from jobqueue.values import write


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def serve(port, journal):
    """Serve on this port until killed."""
    api = Api(Board(), Journal(journal))
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                with lock:
                    status, value, fields = api.answer(self.command, urlsplit(self.path).path, self.headers, body)
            except Refusal as refusal:
                status, value, fields = refusal.status, {"error": refusal.code}, {}
            self.reply(status, value, fields)

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_request

        def reply(self, status, value, fields):
            body = b"" if value is None else write(value).encode()
            self.send_response(status)
            if value is not None:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
            for name, field in fields.items():
                self.send_header(name, field)
            self.end_headers()
            self.wfile.write(body)

    Server(("127.0.0.1", port), Handler).serve_forever()
