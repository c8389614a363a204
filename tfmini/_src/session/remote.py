"""Sessions on servers, which load gRPC when the first is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.base import proto

if TYPE_CHECKING:
    from tfmini._src.cluster.remote_session import RemoteSession
    from tfmini._src.graph.graph import Graph


def remote_session(target: str, graph: Graph, config: proto.ConfigProto | None) -> RemoteSession:
    """A `RemoteSession`."""
    from tfmini._src.cluster.remote_session import RemoteSession  # noqa: PLC0415

    return RemoteSession(target, graph, config)


def reset(target: str, containers: list[str] | None, config: proto.ConfigProto | None) -> None:
    """Clears resource containers of a cluster."""
    from tfmini._src.cluster import remote_session  # noqa: PLC0415

    remote_session.reset(target, containers, config)
