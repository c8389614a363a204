"""Sessions on servers, which load gRPC when the first is made."""

from __future__ import annotations

from typing import Any


def remote_session(target: str, graph: Any, config: Any) -> Any:
    """A `RemoteSession`."""
    from tfmini._src.cluster.remote_session import RemoteSession  # noqa: PLC0415

    return RemoteSession(target, graph, config)


def reset(target: str, containers: Any, config: Any) -> None:
    """Clears resource containers of a cluster."""
    from tfmini._src.cluster import remote_session  # noqa: PLC0415

    remote_session.reset(target, containers, config)
