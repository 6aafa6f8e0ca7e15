import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

HEIGHTS = {}


class Tides(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        HEIGHTS[self.place()] = json.loads(body)
        self.answer(200, None)

    def do_GET(self):
        if self.place() in HEIGHTS:
            self.answer(200, HEIGHTS[self.place()])
        else:
            self.answer(404, None)

    def place(self):
        return self.path.removeprefix("/tide/")

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(sys.argv[2])), Tides).serve_forever()
