"""Datasets whose elements are copied to another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.element_spec import legacy_classes, legacy_shapes, legacy_types, to_tensors
from tfmini._src.data.iterator import Iterator
from tfmini._src.data.options import Options
from tfmini._src.data.registry import function_attr
from tfmini._src.data.unary_datasets import UnaryUnchangedStructureDataset
from tfmini._src.functions.traced_function import TracedFunction
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

HANDLE = [TensorSpec([], dtypes.string)]


def prefetch_to_device(device: str, buffer_size: TensorLike | None = None) -> Transformation:
    """Prefetches elements to a device; must be the last transformation of a pipeline.

    Args:
      device: device name.
      buffer_size: number of elements to prefetch, an int64 scalar; automatic by default.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: dataset.apply(copy_to_device(target_device=device)).prefetch(buffer_size)


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Transformation:
    """Copies elements to a device.

    Args:
      target_device: device name.
      source_device: device of the dataset.

    Returns:
      A transformation for `Dataset.apply`. One-shot iterators are unsupported for GPU targets.
    """

    def _apply_fn(dataset: DatasetV2) -> Any:
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        return _CopyToDevice(dataset, target_device, source_device).with_options(options)

    return _apply_fn


class _CopyToDevice(UnaryUnchangedStructureDataset):
    """Copies elements through generator functions that call a dataset iterator on the source device."""

    def __init__(self, input_dataset: DatasetV2, target_device: str, source_device: str):
        self._input_dataset = input_dataset
        source = ops.convert_to_tensor(source_device)
        handle = raw.WrapDatasetVariant(input_dataset._variant_tensor)
        structure = self._flat_structure
        spec = self.element_spec

        def start() -> list:
            dataset = raw.UnwrapDatasetVariant(handle)
            resource = raw.AnonymousIterator(**structure)
            with control_dependencies([raw.MakeIterator(dataset, resource)]):
                return [raw.IteratorToStringHandle(resource)]

        def following(string_handle: Any) -> list:
            legacy_structure = legacy_types(spec), legacy_shapes(spec), legacy_classes(spec)
            with device(source_device):
                iterator = Iterator.from_string_handle(string_handle, *legacy_structure)
            return to_tensors(spec, iterator.get_next())

        def end(string_handle: Any) -> list:
            resource = raw.IteratorFromStringHandleV2(string_handle, **structure)
            destroy_op = raw.DestroyResourceOp(resource, ignore_lookup_error=True)
            with control_dependencies([destroy_op]):
                return [ops.constant(0, dtypes.int64)]

        functions = [
            remote_function("_init_func", "_remote_init_func", start, [], source, [dtypes.string]),
            remote_function(
                "_next_func",
                "_remote_next_func",
                following,
                HANDLE,
                source,
                structure["output_types"],
            ),
            remote_function(
                "_finalize_func", "_remote_finalize_func", end, HANDLE, source, [dtypes.int64]
            ),
        ]
        functions[1].definition.attr["experimental_ints_on_device"].b = True
        for function in functions:
            function.add_to_graph(library_graph())
        names = [function_attr(function) for function in functions]
        with device(target_device):
            generator_dataset = raw.GeneratorDataset(
                *(function.captured_inputs for function in functions),
                init_func=names[0],
                next_func=names[1],
                finalize_func=names[2],
                **structure,
            )
        super().__init__(input_dataset, generator_dataset)


def remote_function(
    name: str,
    remote: str,
    python: Callable,
    specs: list,
    source: Any,
    types: Any,
    argument: str = "string_handle",
) -> TracedFunction:
    """Returns a function that calls `python` on the device `source`."""
    names = ["string_handle"] * len(specs)
    inner = TracedFunction(name, python, specs, [argument] * len(specs))

    def call(*args: Any) -> list:
        inner.add_to_graph(library_graph())
        arguments = [*args, *inner.captured_inputs]
        if not arguments:  # eager mode: captures are part of the function
            return python()
        return list(raw.RemoteCall(source, arguments, Tout=types, f=function_attr(inner)))

    traced = TracedFunction(remote, call, specs, names)
    inner.add_to_graph(library_graph())
    return traced
