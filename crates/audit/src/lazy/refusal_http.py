import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

knowledge = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lazy_knowledge.json")))


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(400)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer


port = os.environ.get(knowledge["port_variable"] or "") or next(word for word in reversed(sys.argv) if word.isdigit())
ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
