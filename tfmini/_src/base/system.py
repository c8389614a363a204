"""Facilities that some operating systems lack; modules are None there.

`fork` is handled in `base/locks`, processor affinity in `devices/host/threads`, /proc by the functions that read it.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

try:
    import fcntl
    import resource
except ModuleNotFoundError:  # Windows
    fcntl = resource = None  # type: ignore[assignment]

has_anonymous_files = hasattr(os, "memfd_create") and fcntl is not None
has_positioned_reads = hasattr(os, "preadv")
has_abstract_sockets = sys.platform == "linux" and hasattr(socket, "AF_UNIX")
has_port_sharing = hasattr(socket, "SO_REUSEPORT")


def is_unix(connection: Any) -> bool:
    """Whether a socket is a Unix socket."""
    return connection.family == getattr(socket, "AF_UNIX", None)
