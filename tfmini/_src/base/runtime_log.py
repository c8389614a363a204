"""The C++ runtime's log: lines on stderr, from level TF_CPP_MIN_LOG_LEVEL."""

import os
import sys
import time
from typing import Any

INFO, WARNING, ERROR = range(3)


def log(level: int, line: bytes) -> None:
    """Writes a line prefixed with timestamp and level letter."""
    min_level = os.environ.get("TF_CPP_MIN_LOG_LEVEL", "0")
    if min_level.isdigit() and level < int(min_level):
        return
    moment = time.time()
    date = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
    head = f"{date}.{int(moment % 1 * 1e6):06d}: {'IWE'[level]} tfmini] "
    write_bytes(sys.stderr, head.encode() + line + b"\n")


def write_bytes(stream: Any, line: bytes) -> None:
    """Writes bytes unchanged if the stream supports it."""
    try:
        stream.write(line.decode())
    except UnicodeDecodeError:
        if hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(line)
        else:
            stream.write(line.decode("utf8", "replace"))
    stream.flush()
