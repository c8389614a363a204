"""Atomic one-time file downloads."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import urllib.error
import urllib.request
from typing import Any

try:
    import rich.progress as rich_progress
except ModuleNotFoundError:
    rich_progress = None  # type: ignore

_BLOCK = 1 << 20  # bytes read at a time


def fetch(filename: str, directory: str, source_url: str, checksum: str | None = None) -> str:
    """Returns the path of a file, downloaded atomically if missing; the checksum is SHA-256 or, with 32 digits, MD5."""
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, filename)
    if os.path.exists(path):
        return path
    handle, temporary = tempfile.mkstemp(prefix=f".{filename}.", dir=directory)
    try:
        with os.fdopen(handle, "wb") as file:
            _download(source_url, filename, file)
        if checksum is not None and (actual := digest(temporary, checksum)) != checksum:
            raise OSError(f"its {_algorithm(checksum)} is {actual}, but should be {checksum}")
        os.replace(temporary, path)
    except (OSError, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # the error keeps the response open
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise OSError(
            f"{filename} is not in {directory}, and downloading it from {source_url} failed: "
            f"{reason}\nDownload it manually to {os.path.abspath(path)}"
        ) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
    size = os.path.getsize(path)
    print("Successfully downloaded", filename, size, "bytes.")
    return path


def _algorithm(checksum: str) -> str:
    return "MD5" if len(checksum) == 32 else "SHA-256"


def digest(path: str, expected_digest: str) -> str:
    """Returns the MD5 of a file if `expected_digest` has that length, else its SHA-256, in hexadecimal digits."""
    hasher = hashlib.new(_algorithm(expected_digest).replace("-", ""), usedforsecurity=False)
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            hasher.update(block)
    return hasher.hexdigest()


def _wrap_in_progress_bar(
    response: Any, size: int, filename: str
) -> contextlib.AbstractContextManager[Any]:
    """Wraps the response with a progress bar on terminals, if rich is installed."""
    if rich_progress is None or not sys.stderr.isatty():
        return contextlib.nullcontext(response)
    return rich_progress.wrap_file(response, size, description=filename)


def _download(url: str, filename: str, file: Any) -> None:
    """Downloads `url` into an open file; raises OSError if it is truncated."""
    with urllib.request.urlopen(url, timeout=60) as response:
        size = int(response.headers.get("Content-Length") or 0)
        with _wrap_in_progress_bar(response, size, filename) as source:
            received = 0
            while block := source.read(_BLOCK):
                file.write(block)
                received += len(block)
    if size and received != size:
        raise OSError(f"truncated after {received} of {size} bytes")
