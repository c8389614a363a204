"""Files that are downloaded atomically, and tables of comma-separated values."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tfmini._src.formats import downloads
from tfmini.contrib.learn.datasets import base

CONTENT = bytes(range(256)) * 9


class Home(BaseHTTPRequestHandler):
    """A server of one file; `/half` is truncated."""

    def do_GET(self):
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT[:1000] if self.path == "/half" else CONTENT)

    def log_message(self, *args):
        """Suppresses the log."""


@pytest.fixture
def home():
    server = HTTPServer(("127.0.0.1", 0), Home)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_file_is_downloaded_once(home, tmp_path, capsys):
    directory = tmp_path / "data"
    path = base.maybe_download("file.gz", str(directory), home + "/whole")
    assert Path(path).read_bytes() == CONTENT
    assert capsys.readouterr().out == "Successfully downloaded file.gz 2304 bytes.\n"
    assert base.maybe_download("file.gz", str(directory), home + "/missing") == path


@pytest.mark.parametrize(
    "page, checksum, reason",
    [
        ("/missing", None, "HTTP Error 404|Not Found"),
        ("/half", None, "1000 of 2304 bytes|IncompleteRead|1304"),
        ("/whole", hashlib.sha256(b"other").hexdigest(), "its SHA-256 is .*, but should be"),
    ],
)
def test_failed_download_leaves_no_file(home, tmp_path, page, checksum, reason):
    with pytest.raises(OSError, match=reason) as caught:
        downloads.fetch("file.gz", str(tmp_path), home + page, checksum)
    assert f"Download it manually to {tmp_path / 'file.gz'}" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_valid_checksum_is_accepted(home, tmp_path):
    known = hashlib.sha256(CONTENT).hexdigest()
    assert downloads.fetch("file.gz", str(tmp_path), home + "/whole", known) == str(
        tmp_path / "file.gz"
    )
