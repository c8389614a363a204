"""Free ports of this machine, reserved until the task starts."""

from __future__ import annotations

import random
import socket
from collections.abc import Mapping

from tfmini._src.base.system import has_abstract_sockets

# Below the ephemeral port range (from 32768 on Linux, 49152 elsewhere).
_FIRST_PORT, _LAST_PORT = 10_000, 32_000
_TRIES = 1000

# By port: an abstract Unix socket name, visible to other processes that choose ports here. The kernel frees it with the
# process.
_claims: dict[int, int] = {}
_random = random.SystemRandom()


def free_ports(count: int) -> list[int]:
    """Finds `count` free ports of 127.0.0.1; other processes that call this function get different ones.

    Raises:
      OSError: if no ports are free.

    Example: `free_ports(2)` is `[21734, 18022]`, or others.
    """
    ports: list[int] = []
    for _ in range(_TRIES):
        if len(ports) == count:
            return ports
        port = _random.randrange(_FIRST_PORT, _LAST_PORT)
        if port not in _claims and _is_free(port) and _claim(port):
            ports.append(port)
    raise OSError("No free ports on 127.0.0.1")


def free_addresses(jobs: Mapping[str, int]) -> dict[str, list[str]]:
    """Returns the addresses on free ports of 127.0.0.1, for the given number of tasks per job."""
    ports = iter(free_ports(sum(jobs.values())))
    return {job: [f"127.0.0.1:{next(ports)}" for _ in range(count)] for job, count in jobs.items()}


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as gRPC's servers do
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


def _claim(port: int) -> bool:
    """Claims the port for this process; always returns True on systems without abstract socket names."""
    if not has_abstract_sockets:
        return True
    lock_socket = socket.socket(socket.AF_UNIX)
    try:
        lock_socket.bind(f"\0tfmini port {port}")
    except OSError:
        lock_socket.close()
        return False
    _claims[port] = lock_socket.detach()  # intentionally never closed
    return True
