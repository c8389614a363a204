"""Results of an input function: features, labels, and hooks that initialize its iterator."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import make_initializable_iterator
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.monitored.session_run_hook import SessionRunHook


class _IteratorInitHook(SessionRunHook):
    """Hook that initializes a dataset's iterator."""

    def __init__(self, iterator: Any):
        self._iterator = iterator
        self._initializer: Any = None

    def begin(self) -> None:
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._initializer)


class DistributedIteratorInitHook(_IteratorInitHook):
    """Hook that initializes a strategy's iterator."""

    def begin(self) -> None:
        self._initializer = self._iterator.initialize()


def split_result(result: Any) -> tuple[Any, Any]:
    """Splits an element into (features, labels or None); raises ValueError for a sequence whose length is not 2."""
    if isinstance(result, list | tuple):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return result[0], result[1]
    return result, None


def features_and_labels(result: Any) -> tuple[Any, Any, list[SessionRunHook]]:
    """Returns (features, labels or None, hooks) for a pair, features only, or a dataset of these.

    Raises:
      ValueError: for a list or tuple of another length than two.
    """
    hooks: list[SessionRunHook] = []
    if isinstance(result, DatasetV2):
        iterator = make_initializable_iterator(result)
        hooks.append(_IteratorInitHook(iterator))
        result = iterator.get_next()
    return (*split_result(result), hooks)


def is_finite_input(features: Any, graph: Graph) -> bool:
    """Whether the input can end: features come from an iterator, or the graph contains queue runners."""
    elements = (value for value in flatten(features) if isinstance(value, Tensor))
    if any(element.op.type == "IteratorGetNext" for element in elements):
        return True
    return bool(graph.get_collection(GraphKeys.QUEUE_RUNNERS))
