"""`K.function`: a step of given feeds, fetches and updates."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

import tfmini as tf
from tfmini import nest
from tfmini.graph.scopes import control_dependencies, name_scope
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import SparseTensor, SparseTensorValue
from tfmini.hook.keras.sessions import get_session
from tfmini.session.session import Session


class GraphExecutionFunction:
    """`f(values)` runs a step and returns the outputs' values, in their structure.

    Args:
      inputs: what is fed, a list of placeholders, sparse ones too.
      outputs: what is returned.
      updates: operations, or pairs of a variable and its new value.
      name: the name scope of the updates.
      feed_dict: what is fed besides, each time.
      fetches: operations and tensors that run besides.
      options: a RunOptions proto; `run_metadata`: a RunMetadata proto to fill.

    Raises:
      TypeError: for updates that are no list; ValueError: for other arguments.
    """

    def __init__(
        self,
        inputs: Any,
        outputs: Any,
        updates: Any = None,
        name: str | None = None,
        **session_kwargs: Any,
    ):
        updates = updates or []
        if not isinstance(updates, list | tuple):
            raise TypeError("`updates` in a Keras backend function should be a list or tuple.")
        self.inputs = [inputs] if isinstance(inputs, SparseTensor) else nest.flatten(inputs)
        self._structure = outputs
        self.outputs = [
            tf.identity(o) if isinstance(o, Tensor) else o for o in nest.flatten(outputs)
        ]
        self.name = name
        self.feed_dict = session_kwargs.pop("feed_dict", None)
        self.fetches = session_kwargs.pop("fetches", [])
        if not isinstance(self.fetches, list):
            self.fetches = [self.fetches]
        self.run_options = session_kwargs.pop("options", None)
        self.run_metadata = session_kwargs.pop("run_metadata", None)
        self.fetch_callbacks: dict[Any, Any] = {}
        if session_kwargs:
            raise ValueError(
                f"Some keys in session_kwargs are not supported at this time: {(*session_kwargs,)}"
            )
        first = [o for o in self.outputs if isinstance(o, Tensor)][:1]
        with name_scope(name or "function"), control_dependencies(first):
            made = [u[0].assign(u[1]) if isinstance(u, tuple) else u for u in updates]
            self.updates_op = tf.group(*made)

    def __call__(self, inputs: Any) -> Any:
        fed: dict[Any, Any] = {}
        given = [inputs] if isinstance(inputs, SparseTensorValue) else list(inputs)
        for tensor, value in zip(self.inputs, given, strict=False):
            if value is None:
                continue
            if isinstance(value, Tensor):
                raise NotImplementedError(
                    "K.function of symbolic tensors: make the outputs of these tensors, or evaluate them first"
                )
            fed[tensor] = _array(tensor, value)
        fed.update({key: _array(key, value) for key, value in (self.feed_dict or {}).items()})
        session = get_session(inputs)
        found = session.run(
            [self.outputs, self.fetches, self.updates_op],
            fed,
            self.run_options,
            self.run_metadata,
        )
        for fetch, value in zip(self.fetches, found[1]):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        return nest.pack_sequence_as(self._structure, found[0])


def _array(tensor: Any, value: Any) -> Any:
    """A value as it is fed: scipy's sparse matrices as indices, values and shape."""
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        indices = np.stack([matrix.row, matrix.col], axis=1)
        return SparseTensorValue(indices, matrix.data, matrix.shape)
    if isinstance(value, tuple) or isinstance(tensor, SparseTensor):
        return value
    return np.asarray(value, dtype=tensor.dtype.base_dtype.as_numpy_dtype)


_OF_RUN = (*inspect.signature(Session.run).parameters, "inputs", "outputs", "updates", "name")


def function(
    inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any
) -> GraphExecutionFunction:
    """A function of a list of values that runs one step.

    Raises:
      ValueError: for arguments which `Session.run` does not have.
    """
    for key in kwargs:
        if key not in _OF_RUN:
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
    return GraphExecutionFunction(inputs, outputs, updates, name, **kwargs)
