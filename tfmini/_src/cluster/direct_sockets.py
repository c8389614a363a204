"""Line sockets: Unix sockets between tasks of one host and user, otherwise TCP; peer authentication."""

from __future__ import annotations

import hashlib
import os
import secrets
import select
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from weakref import WeakSet

from tfmini._src.base.locks import after_fork
from tfmini._src.base.system import has_abstract_sockets, is_unix
from tfmini._src.cluster.wire import fields, tagged_field
from tfmini._src.formats.varints import varint

OPEN_CONNECTION = "/tfmini.Lines/Open"
# Requests of `OPEN_CONNECTION`: for a Unix socket, for a TCP port.
UNIX_TRANSPORT, TCP_TRANSPORT = b"", b"\x08\x01"

# Sending to a closed peer raises an OSError even if the program's SIGPIPE handler would end the process.
NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)

_SECRET = 16
_USER = struct.Struct("iII")
_CONNECT_SECONDS = 5.0
_SECRET_SECONDS = 20.0
# As for gRPC: seconds after which unacknowledged data closes a connection, and seconds of silence before a probe.
_UNACKNOWLEDGED_MILLISECONDS = 20_000
_TCP_OPTIONS = {
    "TCP_NODELAY": 1,
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 10,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": _UNACKNOWLEDGED_MILLISECONDS,
}

_sockets: WeakSet[socket.socket] = WeakSet()


def supports_unix_sockets() -> bool:
    """Whether this system has abstract Unix sockets, and the environment does not disable them."""
    return (
        has_abstract_sockets
        and supports_tcp_connections()
        and os.environ.get("TFMINI_SHARED_MEMORY", "1") != "0"
    )


def supports_tcp_connections() -> bool:
    """Whether this system has epoll or kqueue, and the environment does not disable connections."""
    can_poll = hasattr(select, "epoll") or hasattr(select, "kqueue")
    return can_poll and os.environ.get("TFMINI_LINES", "1") != "0"


def preferred_transports(is_secure: bool) -> Sequence[bytes]:
    """Returns the transports to request from a task, best first.

    is_secure: whether the task is called over TLS, which connections over TCP do not support.
    """
    return (
        *((UNIX_TRANSPORT,) if supports_unix_sockets() else ()),
        *((TCP_TRANSPORT,) if supports_tcp_connections() and not is_secure else ()),
    )


@dataclass(frozen=True)
class Offer:
    """The reply to `OPEN_CONNECTION`.

    name: the Unix socket's name; empty for a connection over TCP.
    secret: opens one connection.
    port: the server's own port, as the server knows it.
    max_request_size: maximum request size in bytes.
    direct_port: the port of connections over TCP, on the server's host; 0 for a Unix socket.
    is_authenticated: whether messages carry authentication codes: over TCP, if the server requires a token.
    """

    name: bytes
    secret: bytes
    port: int
    max_request_size: int
    direct_port: int = 0
    is_authenticated: bool = False

    @property
    def direct_address(self) -> tuple[bytes, int]:
        """The address at which the server accepts connections; it changes when the server restarts."""
        return self.name, self.direct_port

    def to_bytes(self) -> bytes:
        integers = (
            (3, self.port),
            (4, self.max_request_size),
            (5, self.direct_port),
            (6, self.is_authenticated),
        )
        texts = tagged_field(1, self.name) + tagged_field(2, self.secret)
        return texts + b"".join(varint(field << 3) + varint(value) for field, value in integers)


def parse_offer(reply: bytes) -> Offer:
    """Decodes an offer from a reply."""
    texts, integers = {1: b"", 2: b""}, {3: 0, 4: 0, 5: 0, 6: 0}
    for field, wire_type, value in fields(reply):
        if field in texts and wire_type == 2:
            texts[field] = reply[value[0] : value[1]]
        elif field in integers and wire_type == 0:
            integers[field] = value
    return Offer(texts[1], texts[2], integers[3], integers[4], integers[5], bool(integers[6]))


def new_secret() -> bytes:
    return secrets.token_bytes(_SECRET)


def answer_to(secret: bytes) -> bytes:
    """Returns the answer to a peer that presented a valid secret; another server on that port cannot compute it."""
    return hashlib.sha256(b"tfmini line" + secret).digest()[:_SECRET]


def close_in_children(connection: socket.socket) -> socket.socket:
    """Registers the socket to be closed in forked processes; returns it."""
    _sockets.add(connection)
    return connection


def listening_unix() -> tuple[socket.socket, bytes]:
    """Returns a listening Unix socket without a file, and its name."""
    name = b"\0tfmini-" + secrets.token_hex(16).encode()
    listener = close_in_children(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
    listener.bind(name)
    listener.listen()
    return listener, name


def listening_tcp(host: str) -> socket.socket:
    """Returns a socket listening on a free port of `host`, "127.0.0.1" or "[::]"; raises OSError for other hosts."""
    address = socket.getaddrinfo(host.strip("[]"), 0, type=socket.SOCK_STREAM)[0]
    is_dual = address[0] == socket.AF_INET6 and socket.has_dualstack_ipv6()
    listener = socket.create_server(address[4][:2], family=address[0], dualstack_ipv6=is_dual)
    return close_in_children(listener)


def configure_connection(connection: socket.socket) -> socket.socket:
    """Configures an accepted connection so that both sides notice a silently vanished peer; returns it."""
    close_in_children(connection)
    if not is_unix(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _TCP_OPTIONS.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return connection


def _is_own_user(peer: socket.socket) -> bool:
    """Whether the peer process of a Unix socket belongs to this process's user."""
    _, user, _ = _USER.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _USER.size))
    return user == os.getuid()


def connect_offer(offer: Offer, address: str) -> socket.socket | None:
    """Connects to the server of an offer at an address; returns None if it is unreachable from here."""
    if not offer.name and not offer.direct_port:
        return None
    try:
        if offer.name:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        else:
            socket_address = (address.rpartition(":")[0].strip("[]"), offer.direct_port)
            connection = socket.create_connection(socket_address, _CONNECT_SECONDS)
    except (OSError, OverflowError):
        return None
    try:
        if offer.name:
            connection.settimeout(_CONNECT_SECONDS)
            connection.connect(offer.name)
            if not _is_own_user(connection):
                raise PermissionError("another user's")
        configure_connection(connection).sendall(offer.secret, NO_SIGNAL)
        if _receive_secret(connection, monotonic() + _CONNECT_SECONDS) != answer_to(offer.secret):
            raise PermissionError("another server")
        connection.settimeout(None)
    except OSError:
        connection.close()
        return None
    return connection


def _receive_secret(connection: socket.socket, end: float) -> bytes:
    """Returns the bytes that the peer sends before the deadline: a whole secret, or fewer."""
    received = b""
    while len(received) < _SECRET and (remaining := end - monotonic()) > 0:
        connection.settimeout(remaining)
        received_bytes = connection.recv(_SECRET - len(received))
        if not received_bytes:
            break
        received += received_bytes
    return received


def receive_secret(connection: socket.socket) -> bytes:
    """Returns the secret presented in time by the peer of a new connection; fewer bytes otherwise."""
    try:
        secret = _receive_secret(connection, monotonic() + _SECRET_SECONDS)
        connection.settimeout(None)
        if is_unix(connection) and not _is_own_user(connection):
            return b""
    except OSError:
        return b""
    return secret


def _leave_to_the_parent() -> None:
    for item in list(_sockets):
        descriptor = item.detach()  # `close` waits for the file's reader
        if descriptor >= 0:
            os.close(descriptor)
    _sockets.clear()


after_fork(_leave_to_the_parent)
