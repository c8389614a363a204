"""Elementwise transformations: scan, unbatching, enumeration, and a counter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.data import registry
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    infer_spec,
    normalize_element,
    to_tensors,
)
from tfmini._src.data.function_datasets import state_function
from tfmini._src.data.registry import function_attr
from tfmini._src.data.unary_datasets import (
    RestructuringDataset,
)
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw


def scan(initial_state: object, scan_func: Callable[..., Any]) -> Transformation:
    """Maps elements with a state that is passed from one element to the next.

    Args:
      initial_state: the initial state.
      scan_func: `scan_func(state, element)` returns a pair of the next state and the output element.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      TypeError: when applied, if `scan_func` does not return a pair, or changes the state's type.

    Example: `dataset.apply(tf.data.experimental.scan(np.int64(0), lambda s, x: (s + x, s + x)))` computes
      running sums.
    """
    return lambda dataset: _Scan(dataset, initial_state, scan_func)


class _Scan(RestructuringDataset):
    def __init__(self, input_dataset: DatasetV2, initial_state: Any, scan_func: Callable):
        state = normalize_element(initial_state)
        name = "tf.data.experimental.scan()"
        self._function, spec, element = state_function(
            input_dataset, infer_spec(state), scan_func, name, is_pair=True
        )
        self._function.function.add_to_graph(library_graph())
        handle = raw.ScanDataset(
            input_dataset._variant_tensor,
            to_tensors(spec, state),
            self._function.function.captured_inputs,
            f=function_attr(self._function.function),
            preserve_cardinality=True,
            output_shapes=flat_shapes(element),
            output_types=flat_types(element),
        )
        super().__init__(input_dataset, element, handle)

    def _functions(self) -> list:
        return [self._function]


@deprecated(None, "Use `tf.data.Dataset.unbatch()`.")
def unbatch() -> Transformation:
    """Splits elements into rows; `dataset.unbatch()` as a transformation for `Dataset.apply`."""
    return lambda dataset: dataset.unbatch()


@deprecated(None, "Use `tf.data.Dataset.enumerate()")
def enumerate_dataset(start: TensorLike = 0) -> Transformation:
    """Enumerates elements; `dataset.enumerate(start)` as a transformation for `Dataset.apply`."""
    return lambda dataset: dataset.enumerate(start)


def counter(start: TensorLike = 0, step: TensorLike = 1, dtype: DTypeLike = dtypes.int64) -> Any:
    """Returns an infinite dataset of `start`, `start + step` and so on.

    Args:
      start, step: scalars.
      dtype: the dtype of the elements.
    """
    with name_scope("counter"):
        first = ops.convert_to_tensor(start, dtype=dtype, name="start")
        step_tensor = ops.convert_to_tensor(step, dtype=dtype, name="step")
        repeated = registry.base().from_tensors(0).repeat(None)
        numbers = repeated.apply(scan(first, lambda state, _: (state + step_tensor, state)))
    return DatasetV1Adapter(numbers)


counter.__name__ = "Counter"
