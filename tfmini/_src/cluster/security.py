"""Access control of servers: TLS certificates and a shared token, from the environment or `secure`."""

from __future__ import annotations

import hmac
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmini._src.base.errors import UnauthenticatedError, invalid

TOKEN_KEY = "tfmini-token"


@dataclass(frozen=True)
class Security:
    """Credentials that this process's servers and sessions present and require of their peers.

    certificate, key: paths of this task's certificate chain and private key, in PEM format.
    authority: path of the certificates that verify peers.
    token: a secret shared by all tasks and clients of a cluster.
    """

    certificate: str = ""
    key: str = ""
    authority: str = ""
    token: str = ""


_set: Security | None = None


def secure(certificate: str = "", key: str = "", authority: str = "", token: str = "") -> None:
    """Makes this process's future servers and remote sessions use TLS, a token, or both.

    Without this call, TFMINI_TLS_CERT, TFMINI_TLS_KEY, TFMINI_TLS_CA and TFMINI_TOKEN apply.

    Args:
      certificate: path of this task's certificate chain, issued for the task's host name.
      key: path of its private key.
      authority: path of the certificates that verify the peer's; with `certificate`, both sides must present one.
      token: a secret shared by all tasks and clients.

    Raises:
      InvalidArgumentError: if only one of certificate and key is given, or the token is not printable ASCII.
    """
    global _set
    _set = _check_security(Security(certificate, key, authority, token))


def current() -> Security:
    """Returns the credentials set by `secure`, else credentials from the environment."""
    if _set is not None:
        return _set
    get = os.environ.get
    return _check_security(
        Security(
            get("TFMINI_TLS_CERT", ""),
            get("TFMINI_TLS_KEY", ""),
            get("TFMINI_TLS_CA", ""),
            get("TFMINI_TOKEN", ""),
        )
    )


def _check_security(security: Security) -> Security:
    if bool(security.certificate) != bool(security.key):
        invalid("TLS requires both a certificate and its private key")
    if not re.fullmatch("[ -~]*", security.token):  # each call sends it as HTTP metadata
        message = "A token (TFMINI_TOKEN) must be printable ASCII without line breaks"
        invalid(message)
    return security


def _read_bytes(path: str) -> bytes | None:
    return Path(path).read_bytes() if path else None


def server_credentials(grpc: Any, security: Security) -> Any:
    """Returns the credentials for a server port; None for a plaintext one."""
    if not security.certificate:
        return None
    pair = (_read_bytes(security.key), _read_bytes(security.certificate))
    root = _read_bytes(security.authority)
    return grpc.ssl_server_credentials([pair], root, require_client_auth=root is not None)


def channel_credentials(grpc: Any, security: Security) -> Any:
    """Returns the credentials for a channel; None for a plaintext one."""
    if not (security.authority or security.certificate):
        return None
    return grpc.ssl_channel_credentials(
        _read_bytes(security.authority),
        _read_bytes(security.key),
        _read_bytes(security.certificate),
    )


def authentication_error(metadata: Any, token: str) -> UnauthenticatedError | None:
    """Returns the error for a caller without the server's token; None if the token matches or none is required."""
    if not token:
        return None
    presented = next((value for key, value in metadata or () if key == TOKEN_KEY), None)
    if presented is None:
        return UnauthenticatedError(None, None, "This server requires a token (TFMINI_TOKEN)")
    if not hmac.compare_digest(str(presented).encode(), token.encode()):
        return UnauthenticatedError(
            None, None, "The token does not match the server's (TFMINI_TOKEN)"
        )
    return None
