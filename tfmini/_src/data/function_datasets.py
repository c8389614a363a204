"""Datasets that apply functions to elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_spec import DatasetSpec
from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    from_legacy,
    from_tensors,
    infer_spec,
    legacy_classes,
    legacy_shapes,
    legacy_types,
    normalize_element,
    to_rows,
    to_tensors,
)
from tfmini._src.data.registry import function_attr, register_dataset
from tfmini._src.data.structured_function import MappedFunction
from tfmini._src.data.unary_datasets import RestructuringDataset, UnaryDataset, int64
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


class FunctionDataset(UnaryDataset):
    """Base class of datasets that apply a function to each element."""

    _name = "Dataset.map()"
    element_spec: Any = read_only("The TypeSpecs of an element.", "_spec")

    def _build(self, source: DatasetV2, function: Callable, is_legacy: bool = False) -> None:
        self._input_dataset = source
        self._function = MappedFunction(
            function, self._name, source.element_spec, is_legacy=is_legacy
        )
        self._spec = self._function.output_structure

    def _functions(self) -> list:
        return [self._function]

    def _captured_inputs(self) -> list:
        return self._function.function.captured_inputs

    def _attr(self) -> Any:
        return function_attr(self._function.function)


@register_dataset
class MapDataset(FunctionDataset):
    """Applies a function to each element."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable,
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ):
        self._build(input_dataset, map_func, use_legacy_function)
        self._add(
            raw.MapDataset,
            input_dataset,
            self._captured_inputs(),
            f=self._attr(),
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
        )


@register_dataset
class ParallelMapDataset(FunctionDataset):
    """A `MapDataset` that processes several elements in parallel."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable,
        num_parallel_calls: Any,
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ):
        self._build(input_dataset, map_func, use_legacy_function)
        calls = ops.convert_to_tensor(
            num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls"
        )
        self._add(
            raw.ParallelMapDataset,
            input_dataset,
            self._captured_inputs(),
            calls,
            f=self._attr(),
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
        )


@register_dataset
class FilterDataset(FunctionDataset):
    """The elements that satisfy a predicate."""

    _name = "Dataset.filter()"

    def __init__(
        self, input_dataset: DatasetV2, predicate: Callable, use_legacy_function: bool = False
    ):
        self._build(input_dataset, predicate, use_legacy_function)
        predicate_spec, self._spec = self._spec, input_dataset.element_spec
        # A tuple, as in TensorFlow.
        if not predicate_spec.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError(
                f"`predicate` return type must be convertible to a scalar boolean tensor. Was {predicate_spec}."
            )
        self._add(raw.FilterDataset, input_dataset, self._captured_inputs(), predicate=self._attr())


class DatasetFunctionDataset(FunctionDataset):
    """Base class of datasets whose function returns datasets."""

    def _build(self, source: DatasetV2, function: Callable, is_legacy: bool = False) -> None:
        super()._build(source, function, is_legacy)
        if not isinstance(self._spec, DatasetSpec):
            raise TypeError(f"`map_func` must return a `Dataset` object. Got {type(self._spec)}")
        self._spec = self._spec._element_spec


@register_dataset
class FlatMapDataset(DatasetFunctionDataset):
    """Concatenates the datasets returned by a function."""

    _name = "Dataset.flat_map()"

    def __init__(self, input_dataset: DatasetV2, map_func: Callable):
        self._build(input_dataset, map_func)
        self._add(raw.FlatMapDataset, input_dataset, self._captured_inputs(), f=self._attr())


@register_dataset
class InterleaveDataset(DatasetFunctionDataset):
    """Interleaves the datasets returned by a function."""

    _name = "Dataset.interleave()"

    def __init__(
        self, input_dataset: DatasetV2, map_func: Callable, cycle_length: Any, block_length: Any
    ):
        self._build(input_dataset, map_func)
        lengths = int64(cycle_length, "cycle_length"), int64(block_length, "block_length")
        self._add(
            raw.InterleaveDataset, input_dataset, self._captured_inputs(), *lengths, f=self._attr()
        )


@register_dataset
class ParallelInterleaveDataset(DatasetFunctionDataset):
    """An `InterleaveDataset` that reads in parallel threads."""

    _name = "Dataset.interleave()"

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable,
        cycle_length: Any,
        block_length: Any,
        num_parallel_calls: Any,
    ):
        self._build(input_dataset, map_func)
        arguments = (
            int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"),
            int64(num_parallel_calls, "num_parallel_calls"),
        )
        self._add(
            raw.ParallelInterleaveDatasetV2,
            input_dataset,
            self._captured_inputs(),
            *arguments,
            f=self._attr(),
        )


@register_dataset
def unbatch(dataset: DatasetV2) -> Any:
    """Implements `Dataset.unbatch`."""
    spec = dataset.element_spec

    def normalize(*parts: Any) -> Any:
        return tuple(to_rows(spec, parts if type(spec) is tuple else parts[0]))

    shapes = flat_shapes(spec)
    normalized_dataset = dataset.map(normalize)
    rows = RestructuringDataset(normalized_dataset, spec, normalized_dataset._variant_tensor)
    if any(shape.ndims == 0 for shape in shapes):
        raise ValueError("Cannot unbatch an input with scalar components.")
    batch = Dimension(None)
    for shape in shapes:
        try:
            batch = batch.merge_with(shape[0])
        except ValueError:
            raise ValueError(
                "Cannot unbatch an input whose components have different batch sizes."
            ) from None
    single = dataset_nest.map_structure(lambda leaf: leaf._unbatch(), spec)
    settings: dict[str, Any] = {
        "output_shapes": flat_shapes(single),
        "output_types": flat_types(single),
    }
    return _UnbatchDataset(rows, single, raw.UnbatchDataset(rows._variant_tensor, **settings))


class _UnbatchDataset(RestructuringDataset):
    """Splits elements into rows."""


@register_dataset
def reduce(dataset: DatasetV2, initial_state: Any, reduce_func: Callable) -> Any:
    """Implements `Dataset.reduce`."""
    with name_scope("initial_state"):
        state = normalize_element(initial_state)
    mapped, spec, _ = state_function(dataset, infer_spec(state), reduce_func)
    function = mapped.function
    function.add_to_graph(library_graph())
    results = raw.ReduceDataset(
        dataset._variant_tensor,
        to_tensors(spec, state),
        function.captured_inputs,
        f=function_attr(function),
        output_shapes=flat_shapes(spec),
        output_types=flat_types(spec),
    )
    return from_tensors(spec, results)


def state_function(
    dataset: DatasetV2, spec: Any, python: Callable, name: str = "reduce()", is_pair: bool = False
) -> tuple[Any, Any, Any]:
    """Traces the function from (state, element) to state; also returns the spec of the state, with variable shapes
    relaxed.

    is_pair: whether the function returns (state, element); the third result is the spec of that element.
    """
    while True:
        mapped = MappedFunction(python, name, (spec, dataset.element_spec), add_to_graph=False)
        output, element = mapped.output_structure, None
        if is_pair:
            if not isinstance(output, tuple) or len(output) != 2:
                raise TypeError(
                    "The scan function must return a pair comprising the new state and the output value."
                )
            output, element = output
        if not is_pair and len(flat_types(output)) != len(flat_types(spec)):
            return mapped, spec, None  # the op reports it
        for component, getter in (("classes", legacy_classes), ("types", legacy_types)):
            expected, actual = getter(spec), getter(output)
            if dataset_nest.flatten(expected) != dataset_nest.flatten(actual):
                raise TypeError(
                    f"The element {component} for the new state must match the initial state. Expected {expected}; "
                    f"got {actual}."
                )
        shapes = legacy_shapes(spec)
        flat = dataset_nest.flatten(shapes)
        weaker = [
            a.most_specific_compatible_shape(b)
            for a, b in zip(flat, dataset_nest.flatten(legacy_shapes(output)))
        ]
        if all(
            a.ndims is None or (b.ndims is not None and a.as_list() == b.as_list())
            for a, b in zip(flat, weaker)
        ):
            return mapped, spec, element
        weaker = dataset_nest.pack_sequence_as(shapes, weaker)
        spec = from_legacy(legacy_types(spec), weaker, legacy_classes(spec))
