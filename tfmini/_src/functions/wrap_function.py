"""`tf.wrap_function`: functions of TensorFlow 1.x programs, in which what no result needs does not run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec


def wrap_function(fn: Callable, signature: Any, name: str | None = None) -> ConcreteFunction:
    """A function of TensorFlow 1.x programs, traced once, that adds a node at each call.

    As in a graph, what no result needs does not run.

    Args:
      fn: takes tensors; it may make variables, which belong to the graph around.
      signature: a TensorSpec, or a nested structure of them, for each argument; other values are given as they are.
      name: what its name in the graph is made of.

    Returns:
      A `ConcreteFunction`, called with tensors.

    Example: `tf.wrap_function(lambda x: x + 1.0, [tf.TensorSpec([], tf.float32)])(tf.constant(2.0))` is 3.
    """
    structure = tuple(signature) if isinstance(signature, list | tuple) else signature
    leaves = flatten(structure)
    specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]

    def call(*tensors: Tensor) -> Any:
        left = iter(tensors)
        values = [next(left) if isinstance(leaf, TensorSpec) else leaf for leaf in leaves]
        given = pack_sequence_as(structure, values)
        if isinstance(given, dict):
            return fn(**given)
        return fn(*given) if isinstance(given, tuple) else fn(given)

    called: str = str(name or getattr(fn, "__name__", "wrapped"))
    called = re.sub(r"\W", "_", called.strip("<>"))
    call.python_function = fn  # type: ignore[attr-defined]
    names = [getattr(spec, "name", None) or f"arg{n}" for n, spec in enumerate(specs)]
    return ConcreteFunction(called, call, specs, names, orders=False)
