"""`Function.function_spec`: the binding of arguments to the function that `tf.function` decorates."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.nest.structure import flatten


class FunctionSpec:
    """The parameters of a function.

    Attributes:
      fullargspec: its `inspect.FullArgSpec`; is_method: whether it is bound to an object.
      arg_names: the names of its positional parameters; vararg_name: the name after `*`, or None.
      input_signature: the TensorSpecs of the arguments, or None; flat_input_signature: the same, flattened.
    """

    flat_input_signature: tuple[Any, ...]

    def __init__(
        self,
        function: Callable,
        arg_names: list[str],
        input_signature: Sequence[Any] | None,
        bind: Callable[[tuple, dict], Any],
    ) -> None:
        unbound = getattr(function, "_unbound", None)  # of a method that does not keep its object
        self.fullargspec = inspect.getfullargspec(function if unbound is None else unbound[0])
        self.is_method = unbound is not None or inspect.ismethod(function)
        self.arg_names = arg_names
        self.vararg_name = self.fullargspec.varargs
        self.input_signature = input_signature
        if input_signature is not None:
            self.flat_input_signature = tuple(flatten(input_signature, expand_composites=True))
        self._bind = bind

    def canonicalize_function_inputs(self, *args: Any, **kwargs: Any) -> Any:
        """Returns (args, kwargs): the positional arguments with defaults, arrays as tensors, and other keywords."""
        return self._bind(args, kwargs)
