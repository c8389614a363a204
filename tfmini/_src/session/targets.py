"""Session targets: this process, or the address of a server."""

from __future__ import annotations

from tfmini._src.base import proto
from tfmini._src.base.errors import NotFoundError, invalid

REMOTE = b"grpc://"


def check_type(target: object) -> None:
    """Raises TypeError unless `target` is a string or None."""
    if target is None or isinstance(target, str | bytes):
        return
    hint = ""
    if isinstance(target, proto.ConfigProto):
        hint = '. Did you do "Session(config)" instead of "Session(config=config)"?'
    raise TypeError(f"target must be a string, but got {type(target)}{hint}")


def check_address(target: bytes) -> None:
    """Raises InvalidArgumentError unless a remote target has a host and a port."""
    address = target.removeprefix(REMOTE).decode()
    host, _, port = address.rpartition(":")
    if "/" in host or not port.strip().isdecimal() or int(port) >= 2**32:
        invalid(f'Could not interpret "{address}" as a host-port pair.')


def no_factory_error(target: bytes, config: proto.ConfigProto | None) -> NotFoundError:
    """Returns the error for a target that no session type serves."""
    if config is None:
        config_text = (
            'device_count { key: "CPU" value: 1 } device_count { key: "GPU" value: 0 } '
            "gpu_options { experimental { } }"
        )
    else:
        config_text = " ".join(str(config).split())
    return NotFoundError(
        None,
        None,
        f'No session factory registered for the given session options: {{target: "{target.decode()}" '
        f"config: {config_text}}} Registered factories are {{DIRECT_SESSION, GRPC_SESSION}}.",
    )
