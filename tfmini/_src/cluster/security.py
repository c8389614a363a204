"""Access control of servers: TLS certificates and a shared token, from the environment or one call."""

from __future__ import annotations

import hmac
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError, UnauthenticatedError

TOKEN_KEY = "tfmini-token"


@dataclass(frozen=True)
class Security:
    """Credentials that this process's servers and sessions present, and require of their peers.

    certificate, key: files of this task's certificate chain and private key, in PEM.
    authority: the file of the certificates that others' are checked against.
    token: a secret that all tasks and clients of a cluster share.
    """

    certificate: str = ""
    key: str = ""
    authority: str = ""
    token: str = ""


_set: Security | None = None


def secure(certificate: str = "", key: str = "", authority: str = "", token: str = "") -> None:
    """Makes this process's future servers and remote sessions use TLS, a token, or both.

    Without this call TFMINI_TLS_CERT, TFMINI_TLS_KEY, TFMINI_TLS_CA and TFMINI_TOKEN say the same.

    Args:
      certificate: the file of this task's certificate chain; the name in it is that of the task's address.
      key: the file of its private key.
      authority: the file of the certificates that the other side's is checked against; with `certificate`, both sides
        have to show one.
      token: a secret that all tasks and clients share.

    Raises:
      InvalidArgumentError: one of certificate and key is missing, or a token has other characters than printable ASCII.
    """
    global _set
    _set = _checked(Security(certificate, key, authority, token))


def current() -> Security:
    """Credentials set by `secure`, else those of the environment."""
    if _set is not None:
        return _set
    get = os.environ.get
    return _checked(
        Security(
            get("TFMINI_TLS_CERT", ""),
            get("TFMINI_TLS_KEY", ""),
            get("TFMINI_TLS_CA", ""),
            get("TFMINI_TOKEN", ""),
        )
    )


def _checked(security: Security) -> Security:
    if bool(security.certificate) != bool(security.key):
        raise InvalidArgumentError(None, None, "TLS needs both a certificate and its private key")
    if not re.fullmatch("[ -~]*", security.token):  # it goes with each call as metadata of HTTP
        message = (
            "A token (TFMINI_TOKEN) may only have printable characters of ASCII, and no line end"
        )
        raise InvalidArgumentError(None, None, message)
    return security


def _read(path: str) -> bytes | None:
    return Path(path).read_bytes() if path else None


def server_credentials(grpc: Any, security: Security) -> Any:
    """Credentials of a server port; None for a plain one."""
    if not security.certificate:
        return None
    pair = (_read(security.key), _read(security.certificate))
    root = _read(security.authority)
    return grpc.ssl_server_credentials([pair], root, require_client_auth=root is not None)


def channel_credentials(grpc: Any, security: Security) -> Any:
    """Credentials of a channel; None for a plain one."""
    if not (security.authority or security.certificate):
        return None
    return grpc.ssl_channel_credentials(
        _read(security.authority), _read(security.key), _read(security.certificate)
    )


def refusal(metadata: Any, token: str) -> UnauthenticatedError | None:
    """The error for a caller without the server's token; None for one that has it, or where there is no token."""
    if not token:
        return None
    given = next((value for key, value in metadata or () if key == TOKEN_KEY), None)
    if given is None:
        return UnauthenticatedError(None, None, "This server asks for a token (TFMINI_TOKEN)")
    if not hmac.compare_digest(str(given).encode(), token.encode()):
        return UnauthenticatedError(
            None, None, "The token is not that of this server (TFMINI_TOKEN)"
        )
    return None
