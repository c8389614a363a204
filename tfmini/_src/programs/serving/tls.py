"""A server's TLS settings: its certificate, and the authority for client certificates."""

from __future__ import annotations

import contextlib
import os
import ssl
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc

from tfmini._src.base.errors import invalid
from tfmini._src.programs.serving.config_files import read


@dataclass(frozen=True)
class Tls:
    """PEM files.

    certificate: the server's certificate, with the chain up to its authority.
    key: the private key of the certificate.
    client_ca: authorities' certificates; each client needs a certificate signed by one of them. "": clients need none.
    """

    certificate: str
    key: str
    client_ca: str = ""

    def check(self) -> None:
        """Raises OSError if a file is unreadable or not PEM, or the key does not match the certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        for path in filter(None, (self.certificate, self.key, self.client_ca)):
            with open(path, "rb"):
                pass  # ssl's own error does not name the file
        try:
            context.load_cert_chain(self.certificate, self.key)
        except ssl.SSLError as error:
            raise OSError(f"{self.certificate}, {self.key}: {_reason(error)}") from None
        try:
            if self.client_ca:
                context.load_verify_locations(self.client_ca)
        except ssl.SSLError as error:
            raise OSError(f"{self.client_ca}: {_reason(error)}") from None

    def uvicorn_arguments(self) -> dict[str, Any]:
        """Returns the arguments for uvicorn.Config."""
        return {
            "ssl_certfile": self.certificate,
            "ssl_keyfile": self.key,
            "ssl_ca_certs": self.client_ca or None,
            "ssl_cert_reqs": ssl.CERT_REQUIRED if self.client_ca else ssl.CERT_NONE,
        }

    def grpc_credentials(self) -> Any:
        """Returns the credentials for a grpc.Server."""
        pair = _read_bytes(self.key), _read_bytes(self.certificate)
        authority = _read_bytes(self.client_ca) if self.client_ca else None
        return grpc.ssl_server_credentials([pair], authority, authority is not None)


@contextlib.contextmanager
def configure(path: str) -> Iterator[Tls]:
    """Context manager with the TLS of a file in the format of TensorFlow Serving's `--ssl_config_file`.

    Raises:
      OSError: if it cannot be read.
      InvalidArgumentError: if it is not an SSLConfig in protobuf text format, or lacks a key or a certificate.
    """
    config = read("SSLConfig", path)
    if not config.server_key or not config.server_cert:
        invalid(f"{path}: an SSLConfig requires server_key and server_cert")
    if config.client_verify and not config.custom_ca:
        invalid(f"{path}: client_verify requires custom_ca")
    with tempfile.TemporaryDirectory() as directory:  # not readable by other users
        authority = config.custom_ca if config.client_verify else ""
        texts = {"certificate": config.server_cert, "key": config.server_key, "ca": authority}
        paths = {name: os.path.join(directory, name) for name in texts if texts[name]}
        for name, where in paths.items():
            with open(where, "w", encoding="utf-8") as file:
                file.write(texts[name])
        yield Tls(paths["certificate"], paths["key"], paths.get("ca", ""))


def _read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or str(error)).replace("_", " ").lower()
