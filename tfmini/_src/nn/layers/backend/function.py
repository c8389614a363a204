"""`K.function`: runs steps with fixed feeds, fetches and updates."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.eager_function import EagerExecutionFunction
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.ragged_values import is_ragged
from tfmini._src.ops import ops
from tfmini._src.session.session import Session
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.variable import Variable

_RUN_ARGUMENTS = (
    *inspect.signature(Session.run).parameters,
    "inputs",
    "outputs",
    "updates",
    "name",
)


class GraphExecutionFunction:
    """Callable that runs a step with input values and returns the values of `outputs` in their structure.

    Args:
      inputs: a list of placeholders to feed, dense or sparse.
      outputs: the tensors to return.
      updates: operations, or pairs of a variable and its new value.
      name: stored, otherwise unused.
      **session_kwargs: `feed_dict`, additional feeds of each call; `fetches`, operations and tensors to run as well;
        `options`, a RunOptions proto; `run_metadata`, a RunMetadata proto to fill.

    Attributes:
      fetch_callbacks: callbacks by fetch, called with its value.

    Raises:
      TypeError: if `updates` is not a list.
      ValueError: for an unknown keyword argument.
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
        self.inputs = flatten(inputs, expand_composites=True)
        self._structure = outputs
        self.outputs = [
            ops.identity(x) if isinstance(x, Variable) else x
            for x in flatten(outputs, expand_composites=True)
        ]
        with control_dependencies([self.outputs[0]]):
            operations = [ops.assign(*u) if isinstance(u, tuple) else u for u in updates]
            self.updates_op = ops.group(*operations)
        self.name = name
        self.feed_dict = session_kwargs.pop("feed_dict", None)
        fetches = session_kwargs.pop("fetches", [])
        self.run_options = session_kwargs.pop("options", None)
        self.run_metadata = session_kwargs.pop("run_metadata", None)
        self.fetches = [
            ops.identity(x) for x in (fetches if isinstance(fetches, list) else [fetches])
        ]
        if session_kwargs:
            raise ValueError(
                "Some keys in session_kwargs are not supported at this time: "
                f"{session_kwargs.keys()}"
            )
        self.fetch_callbacks: dict[Any, Any] = {}
        self._callable: Any = None
        self._cache_key: tuple = ()
        self._casts: tuple[list, list] = [], []
        self._plain = not any(isinstance(x, SparseTensor) for x in flatten(outputs))

    def __call__(self, inputs: Any) -> Any:
        arguments = inputs if type(inputs) is list else [inputs]
        if any(
            isinstance(x, (list, tuple, dict, SparseTensorValue)) or _is_composite(x)
            for x in arguments
        ):
            arguments = _flat_values(inputs)
        session = get_session(arguments)
        tensors, values, connected, sources = [], [], [], []
        for tensor, value in zip(self.inputs, arguments):
            if value is None:
                continue
            if isinstance(value, (Tensor, Variable)):
                connected.append(tensor)
                sources.append(value)
            else:
                tensors.append(tensor)
                values.append(np.asarray(value, dtype=tensor.dtype.base_dtype.as_numpy_dtype))
        for key, value in (self.feed_dict or {}).items():
            tensors.append(key)
            values.append(np.asarray(value, dtype=key.dtype.base_dtype.as_numpy_dtype))
        if connected:
            tensors += connected
            values += session.run(self._cast(sources, connected))
        results = self._callable_for(session, tensors)(*values, run_metadata=self.run_metadata)
        count = len(self.outputs)
        for fetch, value in zip(self.fetches, results[count:]):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        results = [x[()] if getattr(x, "ndim", 1) == 0 else x for x in results[:count]]
        if type(self._structure) is list and len(self._structure) == count and self._plain:
            return results
        packed = pack_sequence_as(self._structure, results, expand_composites=True)
        sparse = any(isinstance(x, SparseTensor) for x in flatten(packed))
        return session.run(packed) if sparse else packed

    def _cast(self, sources: list, tensors: list) -> list:
        """Casts fed tensors to the dtypes of the tensors they feed; cached while the fed tensors stay the same."""
        before, casts = self._casts
        if len(before) != len(sources) or any(a is not b for a, b in zip(before, sources)):
            casts = [_cast_to(value, tensor.dtype) for value, tensor in zip(sources, tensors)]
            self._casts = sources, casts
        return casts

    def _callable_for(self, session: Any, tensors: list) -> Any:
        """Returns the compiled step for these feeds; cached until the feeds change."""
        key = (session, tensors, list(self.fetches), self.run_options)
        previous_key = self._cache_key
        if previous_key and all(
            a is b or (n and a == b) for n, (a, b) in enumerate(zip(previous_key, key))
        ):
            return self._callable
        options = proto.CallableOptions()
        options.feed.extend(x.name for x in tensors)
        options.fetch.extend(x.name for x in (*self.outputs, *self.fetches))
        options.target.append(self.updates_op.name)
        if self.run_options is not None:
            options.run_options.CopyFrom(self.run_options)
        self._callable = session._make_callable_from_options(options)
        self._cache_key = key
        return self._callable


def _is_composite(x: Any) -> bool:
    return isinstance(x, SparseTensor) or hasattr(x, "flat_values")


def _flat_values(inputs: Any) -> list:
    """Flattens values: a sparse value into its three arrays, a ragged value into values and row splits."""
    arrays: list = []
    for x in flatten(inputs):
        if hasattr(x, "flat_values") and not is_ragged(x):  # a RaggedTensorValue
            arrays += [x.flat_values, *x.nested_row_splits]
        elif isinstance(x, SparseTensor) or is_ragged(x):
            arrays += flatten(x, expand_composites=True)
        else:
            arrays.append(x)
    return arrays


def _cast_to(tensor: Any, dtype: Any) -> Any:
    if tensor.dtype.base_dtype == dtype.base_dtype:
        return tensor
    return ops.cast(tensor, dtype)


def function(
    inputs: Any,
    outputs: Any,
    updates: TensorLike | None = None,
    name: str | None = None,
    **kwargs: Any,
) -> GraphExecutionFunction | EagerExecutionFunction:
    """Creates a function that maps a list of input values to output values by running one step.

    Args:
      inputs: placeholders.
      outputs: tensors to return the values of, in a structure.
      updates: operations to run as well, or pairs of a variable and its new value.
      name: name of the function in eager mode.
      **kwargs: `feed_dict`, `fetches`, `options` and `run_metadata` as for `Session.run`.

    Raises:
      ValueError: for keyword arguments unknown to `Session.run`.

    Example: `f = tf.keras.backend.function([model.input], [model.layers[0].output]); f([images])`.
    """
    if executing_eagerly_outside_functions():
        if kwargs:
            raise ValueError(
                "Session keyword arguments are not support during eager execution. You passed: "
                f"{kwargs}"
            )
        return EagerExecutionFunction(inputs, outputs, updates=updates, name=name)
    for key in kwargs:
        if key not in _RUN_ARGUMENTS:
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
    return GraphExecutionFunction(inputs, outputs, updates=updates, **kwargs)
