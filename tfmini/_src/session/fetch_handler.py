"""The steps of `Session.run` apart, for programs that run the fetches themselves: `_FetchHandler`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.fetches import Fetches

if TYPE_CHECKING:
    from tfmini._src.session.base_session import BaseSession


class FetchHandler:
    """The tensors and operations that a structure of fetches needs, and the structure of their values.

    Args:
      graph: the graph of the fetches.
      fetches: a tensor, operation or name, or a nest of them.
      feeds: values by the tensors that are fed; these are not fetched.
      feed_handles: handles of the session's tensors by the tensors that they are fed for.

    Raises:
      TypeError, ValueError: for what cannot be fetched.

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
        self._resolved = Fetches(graph, fetches)
        self._feeds = {**feeds, **(feed_handles or {})}
        self._handles = dict(feed_handles or {})

    def fetches(self) -> list[Tensor]:
        """The distinct tensors to run, without those fed."""
        return [t for t in self._resolved.tensors if t not in self._feeds]

    def targets(self) -> list[Operation]:
        """The distinct operations to run."""
        return list(self._resolved.targets)

    def build_results(self, session: BaseSession, tensor_values: Sequence[Any]) -> Any:
        """The structure with the values in it, None for operations; `tensor_values` is as `fetches()`."""
        found = dict(zip(self.fetches(), tensor_values, strict=True))
        return self._resolved.build([self._value(t, found) for t in self._resolved.tensors])

    def _value(self, tensor: Tensor, found: Mapping[Tensor, Any]) -> Any:
        if tensor in self._handles:
            return self._handles[tensor].eval()
        return self._feeds[tensor] if tensor in self._feeds else found[tensor]
