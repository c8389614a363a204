"""The access log: a JSON line per request, with the model, version and signature that served it."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any

STANDARD_OUTPUT = "-"
_UNLOGGED_SUFFIXES = "/healthz", "/metrics"  # path suffixes requested by health probes
_CLIENT_GONE = 499


@dataclass
class AccessRecord:
    """The fields of a request's log line."""

    interface: str
    peer: str
    method: str = ""
    model: str = ""
    version: int | None = None
    signature: str = ""
    status: int | str = ""
    request_bytes: int = 0
    response_bytes: int = 0
    begin: float = field(default_factory=time.time)

    def line(self) -> str:
        """Returns the entry as a line of JSON, with the request's start time and duration."""
        values = asdict(self)
        begin = datetime.datetime.fromtimestamp(values.pop("begin"), datetime.UTC)
        timestamp = begin.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        duration = round((time.time() - self.begin) * 1e3, 3)
        return json.dumps({"time": timestamp, **values, "milliseconds": duration})


_current: ContextVar[AccessRecord | None] = ContextVar("access", default=None)


def set_fields(**values: Any) -> None:
    """Sets fields of the current request's log line, if it is logged."""
    access = _current.get()
    if access is not None:
        for name, value in values.items():
            setattr(access, name, value)


class AccessLog:
    """Writes lines to `path`, which other processes may also append to, "-" for standard output, "" for no log.

    Raises:
      OSError: if the file cannot be written.
    """

    def __init__(self, path: str):
        self._path = path
        self._file = -1
        if path and path != STANDARD_OUTPUT:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)

    @contextlib.contextmanager
    def request(self, interface: str, peer: str) -> Iterator[AccessRecord]:
        """Context manager around a request; writes the log line at its end."""
        access = AccessRecord(interface, peer)
        if not self._path:
            yield access
            return
        token = _current.set(access)
        try:
            yield access
        finally:
            _current.reset(token)
            self._write(access.line() + "\n")

    def _write(self, line: str) -> None:
        if self._path == STANDARD_OUTPUT:
            sys.stdout.write(line)
            sys.stdout.flush()
        elif self._file >= 0:
            os.write(self._file, line.encode())  # one write, so that lines never mix

    def log_application(self, application: Any) -> Any:
        """Returns an ASGI application that logs requests, except for health probes."""
        if not self._path:
            return application

        async def log_request(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] != "http" or scope["path"].endswith(_UNLOGGED_SUFFIXES):
                await application(scope, receive, send)
                return
            with self.request("REST", _client_address(scope["client"])) as access:
                access.status = _CLIENT_GONE  # if no response begins

                async def receive_logged() -> Any:
                    message = await receive()
                    access.request_bytes += len(message.get("body", b""))
                    return message

                async def send_logged(message: Any) -> None:
                    access.status = message.get("status", access.status)
                    access.response_bytes += len(message.get("body", b""))
                    await send(message)

                await application(scope, receive_logged, send_logged)

        return log_request

    def close(self) -> None:
        """Closes the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _client_address(client: tuple[str, int] | None) -> str:
    """Returns a client's address; one named by a proxy may have no port."""
    host, port = client or ("", 0)
    return f"{host}:{port}" if port else host
