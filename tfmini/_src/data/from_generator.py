"""Datasets of the elements of Python generators, which three graph functions call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.locks import make_lock
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import dataset_nest, registry
from tfmini._src.data.element_spec import infer_spec, to_tensors
from tfmini._src.data.registry import function_attr, register_dataset
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.data.structured_function import MappedFunction
from tfmini._src.graph.convert_to_tensor import convert_n_to_tensor
from tfmini._src.ops import raw
from tfmini._src.ops.functions.py_func import numpy_function
from tfmini._src.ops.operands import PLACES

_NAME = "Dataset.from_generator()"


class Passes:
    """The open iterators of a generator, by index."""

    def __init__(self, generator: Callable):
        self._generator = generator
        self._lock = make_lock()
        self._last = -1
        self._args: dict[int, tuple] = {}
        self._iterators: dict[int, Any] = {}

    def begin(self, *args: Any) -> np.ndarray:
        """Registers a new iterator; returns its index."""
        with self._lock:
            self._last += 1
            self._args[self._last] = args
            return np.array(self._last, np.int64)

    def iterator(self, iterator_id: Any) -> Any:
        iterator_id = int(iterator_id)
        current = self._iterators.get(iterator_id)
        if current is None:
            elements = iter(self._generator(*self._args.pop(iterator_id)))
            current = self._iterators[iterator_id] = elements
        return current

    def end(self, iterator_id: Any) -> np.ndarray:
        self._args.pop(int(iterator_id), None)
        self._iterators.pop(int(iterator_id), None)
        return np.array(0, np.int64)


class _GeneratorDataset(KnownSpecDataset):
    """Base class of generator datasets; `init` maps `init_args` to a state, `next_function` states to elements."""

    def __init__(self, init_args: Any, init: Callable, next_function: Callable, last: Callable):
        spec = infer_spec(init_args)
        first = MappedFunction(init, _NAME, spec)
        state = first.output_structure
        functions = [
            first,
            *(MappedFunction(callee, _NAME, state) for callee in (next_function, last)),
        ]
        self._spec = functions[1].output_structure
        captured = [callee.function.captured_inputs for callee in functions]
        names = [function_attr(callee.function) for callee in functions]
        handle = raw.GeneratorDataset(
            to_tensors(spec, init_args) + captured[0],
            captured[1],
            captured[2],
            init_func=names[0],
            next_func=names[1],
            finalize_func=names[2],
            **self._flat_structure,
        )
        super().__init__(handle, self._spec)


@register_dataset
def from_generator(generator: Callable, output_types: Any, output_shapes: Any, args: Any) -> Any:
    """Implements `Dataset.from_generator`."""
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    if output_shapes is None:
        output_shapes = dataset_nest.map_structure(lambda _: TensorShape(None), output_types)
    else:
        output_shapes = dataset_nest.map_structure_up_to(output_types, TensorShape, output_shapes)
    arguments = [] if args is None else convert_n_to_tensor(args, name="args")
    types = [dtypes.as_dtype(dtype) for dtype in dataset_nest.flatten(output_types)]
    shapes = dataset_nest.flatten(output_shapes)
    passes = Passes(generator)
    element = _Element(output_types, types, shapes)

    def get_iterator_id_fn(unused: Any) -> Any:
        return numpy_function(passes.begin, arguments, dtypes.int64)

    def generator_next_fn(iterator_id: Any) -> Any:
        def following(iterator_id: Any) -> list:
            return element.arrays(next(passes.iterator(iterator_id)))

        values = numpy_function(following, [iterator_id], types)
        for value, shape in zip(values, shapes):
            value.set_shape(shape)
        return dataset_nest.pack_sequence_as(output_types, values)

    def finalize_fn(iterator_id: Any) -> Any:
        return numpy_function(passes.end, [iterator_id], dtypes.int64)

    def flat_map_fn(dummy: Any) -> Any:
        return _GeneratorDataset(dummy, get_iterator_id_fn, generator_next_fn, finalize_fn)

    return registry.base().from_tensors(0).flat_map(flat_map_fn)


class _Element:
    """The required structure, dtypes and shapes of a generator's elements."""

    def __init__(self, structure: Any, types: list, shapes: list):
        self._structure = structure
        self._is_one = not dataset_nest.is_sequence(structure)
        self._kinds = [(dtype, dtype.as_numpy_dtype, shape) for dtype, shape in zip(types, shapes)]

    def arrays(self, values: Any) -> list:
        """Converts a yielded element to arrays; raises TypeError or ValueError for another structure or shape."""
        try:
            flat = [values] if self._is_one else dataset_nest.flatten_up_to(self._structure, values)
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The expected structure was "
                f"{self._structure}, but the yielded element was {values}."
            ) from None
        arrays = []
        for value, (dtype, numpy_dtype, shape) in zip(flat, self._kinds):
            try:
                array = _convert_value(value, dtype, numpy_dtype)
            except (TypeError, ValueError, NotImplementedError):  # the last for a symbolic tensor
                raise TypeError(
                    "`generator` yielded an element that could not be converted to the expected type. The expected "
                    f"type was {dtype.name}, but the yielded element was {value}."
                ) from None
            if array.dtype != numpy_dtype:
                raise TypeError(
                    f"`generator` yielded an element of type {array.dtype} where an element of type {numpy_dtype} "
                    "was expected."
                )
            if not shape.is_compatible_with(array.shape):
                raise ValueError(
                    f"`generator` yielded an element of shape {array.shape} where an element of shape {shape} was "
                    "expected."
                )
            arrays.append(array)
        return arrays


def _convert_value(value: Any, dtype: dtypes.DType, numpy_dtype: Any) -> np.ndarray:
    if dtype is dtypes.string:
        array = np.asarray(value, dtype=object)
        if any(isinstance(item, str) for item in array.flat):
            encoded = [item.encode() if isinstance(item, str) else item for item in array.flat]
            array = np.empty(array.shape, object)
            array.ravel()[:] = encoded
        return array
    if value.__class__ is np.ndarray and value.dtype == numpy_dtype:
        return value.copy() if value.dtype.type in PLACES else value
    try:
        return np.asarray(value, dtype=numpy_dtype, order="C")
    except OverflowError:  # integers wrap, as in NumPy 1
        return np.asarray(value, dtype=np.int64, order="C").astype(numpy_dtype)
