"""Takes a screenshot of each TensorBoard view, and fails if one is empty.

ci/generate pictures            writes to docs/pictures
ci/generate pictures FOLDER
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from ci.commands.pictures.browser import find, looks_empty, take
from ci.commands.pictures.model import train

ROOT = Path(__file__).resolve().parents[3]
VIEWS = {
    "scalars": "scalars",
    "histograms": "histograms",
    "images": "images",
    "graph": "graphs",
    "projector": "projector",
}
MAX_BYTES = 150_000


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(address: str, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def main() -> int:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    browser = find()
    viewer = os.environ.get("TENSORBOARD") or shutil.which("tensorboard")
    if browser is None or viewer is None:
        print("Chromium or tensorboard is not installed: no screenshots taken", file=sys.stderr)
        return 2
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as log:
        train(log)
        port = free_port()
        server = subprocess.Popen(
            [viewer, "--logdir", ".", "--port", str(port), "--host", "127.0.0.1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=log,
        )
        try:
            address = f"http://127.0.0.1:{port}/"
            wait_for(address)
            time.sleep(5)  # TensorBoard reads the files meanwhile
            for view, name in VIEWS.items():
                path = directory / f"tensorboard_{view}.png"
                take(browser, f"{address}#{name}", path)
                size = path.stat().st_size
                print(f"{path}: {size} bytes")
                if looks_empty(path) or size > MAX_BYTES:
                    return 1
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
