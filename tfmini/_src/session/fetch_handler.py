"""`_FetchHandler`: the stages of `Session.run`, for programs that run the fetches themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.fetches import Fetches


class FetchHandler:
    """Flattens a fetch structure to tensors and operations, and packs their values back into it.

    Args:
      graph: the graph of the fetches.
      fetches: a tensor, operation or name, or a nested structure of these.
      feeds: fed values keyed by tensor; fed tensors are not fetched.
      feed_handles: session tensor handles keyed by the tensor they feed.

    Raises:
      TypeError, ValueError: for an invalid fetch.

    Example:
      handler = FetchHandler(graph, {"loss": loss, "step": train_op}, {})
      values = session.run(handler.fetches())
      handler.build_results(session, values)    # {"loss": 0.25, "step": None}
    """

    def __init__(
        self,
        graph: Graph,
        fetches: object,
        feeds: FeedDict,
        feed_handles: FeedDict | None = None,
    ) -> None:
        self._fetches = Fetches(graph, fetches)
        self._feeds = {**feeds, **(feed_handles or {})}
        self._handles = dict(feed_handles or {})

    def fetches(self) -> list[Tensor]:
        """Returns the distinct tensors to run, excluding fed ones."""
        return [t for t in self._fetches.tensors if t not in self._feeds]

    def targets(self) -> list[Operation]:
        """Returns the distinct operations to run."""
        return list(self._fetches.targets)

    def build_results(self, session: BaseSession, tensor_values: Sequence[Any]) -> Any:
        """Packs `tensor_values`, in the order of `fetches()`, into the structure; None for operations."""
        values = dict(zip(self.fetches(), tensor_values, strict=True))
        return self._fetches.build([self._fetched_value(t, values) for t in self._fetches.tensors])

    def _fetched_value(self, tensor: Tensor, values: Mapping[Tensor, Any]) -> Any:
        if tensor in self._handles:
            return self._handles[tensor].eval()
        return self._feeds[tensor] if tensor in self._feeds else values[tensor]
