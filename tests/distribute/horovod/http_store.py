"""An HTTP key-value store in this process, like horovodrun's."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Handler(BaseHTTPRequestHandler):
    def do_PUT(self):
        self.server.values[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(200)

    def do_GET(self):
        value = self.server.values.get(self.path)
        self._answer(404 if value is None else self.server.status, value or b"")

    def _answer(self, status, value=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(value)))
        self.end_headers()
        self.wfile.write(value)

    def log_message(self, *args):
        pass


class HttpStore:
    """A block with a server at 127.0.0.1, whose GET of an existing key returns `status`."""

    def __init__(self, status=200):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.values, self._server.status = {}, status
        self.values, self.port = self._server.values, self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
