"""Page rendering by a headless Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

SIZE = (1280, 800)
COLOURS = 64  # small, for small image files


def find() -> str | None:
    """The browser: CHROMIUM, or one on the path."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def run(browser: str, address: str, *options: str) -> str:
    """Runs the browser on a page; returns its standard output."""
    with tempfile.TemporaryDirectory() as profile:
        ran = subprocess.run(
            [
                browser,
                *("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"),
                *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
                f"--user-data-dir={profile}",
                f"--window-size={SIZE[0]},{SIZE[1]}",
                *options,
                address,
            ],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=180,
        )
    return ran.stdout


def take(browser: str, address: str, path: Path, *options: str) -> None:
    """Takes a screenshot of a page."""
    run(browser, address, "--virtual-time-budget=25000", f"--screenshot={path}", *options)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS)
    small.save(path, optimize=True)


def looks_empty(path: Path) -> bool:
    """Whether an image has hardly any colors."""
    with Image.open(path) as picture:
        return len(picture.convert("RGB").getcolors(1 << 24) or ()) < 8


def brightness(path: Path) -> float:
    """The mean gray value of an image, 0 to 255."""
    with Image.open(path) as picture:
        histogram = picture.convert("L").histogram()
    return sum(value * count for value, count in enumerate(histogram)) / sum(histogram)
