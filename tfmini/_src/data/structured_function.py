"""User functions that accept elements, traced into graph functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.user_line import users_level
from tfmini._src.data.element_spec import (
    flat_specs,
    flat_types,
    from_tensors,
    infer_spec,
    to_tensors,
)
from tfmini._src.functions.defun import Defun
from tfmini._src.functions.function_names import function_name, function_numbers
from tfmini._src.functions.traced_function import TracedFunction
from tfmini._src.graph.autograph_status import Status, conversion, convert_if_enabled
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.graph_keys import GraphKeys


class MappedFunction:
    """A traced function from elements to elements.

    Args:
      function: the user's function, which receives the parts of a tuple as separate arguments.
      transformation: the name of the caller for messages, such as "Dataset.map()".
      spec: TypeSpecs of the input elements.
      add_to_graph: whether to add the function to the library of the default graph.
      is_legacy: whether to build the function by `Defun`.
    """

    def __init__(
        self,
        function: Callable,
        transformation: str,
        spec: Any,
        add_to_graph: bool = True,
        is_legacy: bool = False,
    ):
        name = f"{transformation.replace('.', '_')[:-2]}_{function_name(function)}"
        self._python_function = convert_if_enabled(function)
        self._transformation = transformation
        self._spec = spec
        self.output_structure: Any = None
        if is_legacy:
            self.function: Any = _legacy(name, self._results, flat_types(spec))
        else:
            self.function = TracedFunction(name, self._results, flat_specs(spec))
            _warn_of_seed(self.function.graph, name)
        if add_to_graph:
            self.function.add_to_graph(library_graph())

    def _results(self, *args: Any) -> list:
        element = from_tensors(self._spec, args)
        with conversion(Status.DISABLED):
            result = self._python_function(*(element if type(element) is tuple else (element,)))
        if get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS):
            warnings.warn(
                f"Creating resources inside a function passed to {self._transformation} is not supported. Create each "
                "resource outside the function, and capture it inside the function to use it.",
                stacklevel=5,
            )
        if isinstance(result, list):
            result = tuple(result)
        try:
            self.output_structure = infer_spec(result)
        except (ValueError, TypeError):
            raise TypeError(
                f"Unsupported return value from function passed to {self._transformation}: {result}."
            ) from None
        return to_tensors(self.output_structure, result)


def _warn_of_seed(graph: Any, name: str) -> None:
    """Warns if ops in a dataset's function use the seed of the enclosing graph."""
    seed = get_default_graph().seed
    if seed and graph.seed == seed and graph._seed_used:
        warnings.warn(
            f"Seed {seed} from outer graph might be getting used by function {name}, if the random op has not been "
            "provided any seed. Explicitly set the seed in the function if this is not the intended behavior.",
            stacklevel=users_level(),
        )


def _legacy(name: str, results: Callable, types: list) -> Any:
    function = Defun(*types, func_name=f"{name}_{next(function_numbers)}")
    legacy_function = function(lambda *args: results(*args))
    legacy_function.captured_inputs  # noqa: B018  reading the property builds it
    return legacy_function
