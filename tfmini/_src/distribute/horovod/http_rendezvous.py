"""The rendezvous of horovodrun: an HTTP key-value store, through which processes exchange addresses.

horovodrun sets HOROVOD_RANK and HOROVOD_SIZE for each process, and the store's address in
HOROVOD_GLOO_RENDEZVOUS_ADDR and _PORT (`horovod/runner/http/http_server.py` of Horovod 0.21): PUT /SCOPE/KEY stores a
value, GET returns it, or 404.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import count
from time import monotonic, sleep

from tfmini._src.base.errors import DeadlineExceededError, UnavailableError, invalid
from tfmini._src.cluster.free_ports import free_ports

_ADDRESS = "HOROVOD_GLOO_RENDEZVOUS_ADDR"
_PORT = "HOROVOD_GLOO_RENDEZVOUS_PORT"
_SECONDS = 600.0  # timeout for all processes to start
REQUEST_SECONDS = 30.0
_PAUSE_SECONDS = 0.1

_calls = count()  # a reconnecting process leaves its old addresses behind


@dataclass(frozen=True)
class HttpRendezvous:
    """A store, and this process's rank among the processes that use it."""

    host: str
    port: int
    rank: int
    size: int

    def exchange_addresses(self) -> tuple[str, ...]:
        """Publishes this process's address; returns all addresses, by rank.

        Raises:
          UnavailableError: if the store is unreachable.
          DeadlineExceededError: if other processes are missing after ten minutes.
        """
        scope = f"tfmini{next(_calls)}"
        address = f"{self._own_host()}:{free_ports(1)[0]}"
        self._request("PUT", f"/{scope}/{self.rank}", address.encode())
        end = monotonic() + _SECONDS
        return tuple(self._wait_for(f"/{scope}/{rank}", rank, end) for rank in range(self.size))

    def _wait_for(self, path: str, rank: int, end: float) -> str:
        while (answer := self._request("GET", path)) is None:
            if monotonic() > end:
                text = (
                    f"Rank {rank} did not reach horovodrun's rendezvous within {_SECONDS:g} seconds"
                )
                raise DeadlineExceededError(None, None, text)
            sleep(_PAUSE_SECONDS)
        return answer.decode()

    def _own_host(self) -> str:
        """Returns this host's address on the route to the store; sends nothing."""
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
                way.connect((self.host, self.port))
                return way.getsockname()[0]
        except OSError as error:
            message = f"Cannot reach horovodrun's rendezvous, {_ADDRESS}={self.host}: {error}"
            raise UnavailableError(None, None, message) from error

    def _request(self, method: str, path: str, body: bytes | None = None) -> bytes | None:
        """Returns the response of the store; None if the key does not exist."""
        where = f"{self.host}:{self.port}"
        status, text = send_request("The rendezvous of horovodrun", where, method, path, body=body)
        if status not in (200, 404):
            message = f"horovodrun's rendezvous answered {method} {path} with status {status}"
            raise UnavailableError(None, None, message)
        return text if status == 200 else None


def send_request(
    service: str,
    address: str,
    method: str,
    path: str,
    seconds: float = REQUEST_SECONDS,
    body: bytes | None = None,
) -> tuple[int, bytes]:
    """Sends an HTTP request; returns the response's status and body, or raises UnavailableError without a response."""
    connection = HTTPConnection(address, timeout=seconds)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException) as error:
        message = f"{service} at {address} does not answer: {error}"
        raise UnavailableError(None, None, message) from error
    finally:
        connection.close()


def rendezvous_of_horovodrun() -> HttpRendezvous | None:
    """Returns the store named in the environment; None if none is named.

    Raises:
      InvalidArgumentError: if a number is missing or out of range.
    """
    host = os.environ.get(_ADDRESS, "")
    if not host:
        return None
    port, rank, size = map(_environment_integer, (_PORT, "HOROVOD_RANK", "HOROVOD_SIZE"))
    if not 0 < port < 1 << 16:
        invalid(f"{_PORT} is {port}, not a port")
    if rank >= size:
        text = f"HOROVOD_RANK is {rank}, but HOROVOD_SIZE is {size}"
        invalid(text)
    return HttpRendezvous(host, port, rank, size)


def _environment_integer(name: str) -> int:
    text = os.environ.get(name, "")
    if not text.isdigit():
        message = f"{_ADDRESS} is set, but {name} is {text or 'not set'}"
        invalid(message)
    return int(text)
