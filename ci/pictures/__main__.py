"""Takes a picture of each view of TensorBoard, and fails where one is empty.

ci/browser            into docs/pictures
ci/browser FOLDER
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

from PIL import Image

from ci.pictures.model import train

ROOT = Path(__file__).resolve().parents[2]
VIEWS = {
    "scalars": "scalars",
    "histograms": "histograms",
    "images": "images",
    "graph": "graphs",
    "projector": "projector",
}
SIZE = (1280, 800)
COLOURS = 64  # of a picture, which keeps it small
MOST_BYTES = 150_000


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


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


def take(browser: str, address: str, path: Path) -> None:
    """A picture of a page, once its scripts have had some seconds."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                browser,
                *("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"),
                *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
                f"--user-data-dir={profile}",
                f"--window-size={SIZE[0]},{SIZE[1]}",
                "--virtual-time-budget=25000",
                f"--screenshot={path}",
                address,
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=180,
        )
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS)
    small.save(path, optimize=True)


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    browser = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    viewer = os.environ.get("TENSORBOARD") or shutil.which("tensorboard")
    if browser is None or viewer is None:
        print("there is no Chromium or no tensorboard here: nothing was looked at", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
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
            time.sleep(5)  # it reads the files meanwhile
            for view, name in VIEWS.items():
                path = folder / f"tensorboard_{view}.png"
                take(browser, f"{address}#{name}", path)
                with Image.open(path) as picture:
                    used = len(picture.convert("RGB").getcolors(1 << 24) or ())
                size = path.stat().st_size
                print(f"{path}: {size} bytes, {used} colours")
                if used < 8 or size > MOST_BYTES:
                    return 1
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
