"""Ops that consume an entire dataset: single element, record file, cardinality."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.formats.record_reader_writer import RecordWriter
from tfmini._src.formats.zlib_file import Deflation
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    Dataset,
    Run,
    dataset_op,
    string_argument,
)

op = op_with_handles(**SOURCES)


@op(
    "DatasetToSingleElement",
    "dataset: variant -> components: output_types",
    infer=lambda op: list(op.attrs["output_shapes"]),
    stateful=True,
    borrowed_result=True,
    **ELEMENTS,
)
def dataset_to_single_element_op(xp, dataset):
    run = Run()
    try:
        elements = dataset.iterate(run, "")
        element = elements.next()
        if element is None:
            invalid("Dataset was empty.")
        if elements.next() is not None:
            invalid("Dataset had more than one element.")
        return element
    finally:
        run.close()


_DEFLATIONS = {"ZLIB": Deflation(), "GZIP": Deflation(gzip=True)}


@op(
    "DatasetToTFRecord",
    "input_dataset: variant, filename: string, compression_type: string ->",
    stateful=True,
    uses_files=True,
)
def dataset_to_tf_record_op(xp, input_dataset, filename, compression_type):
    path = string_argument(filename, "filename")
    compression = string_argument(compression_type, "compression_type")
    run = Run()
    writer = RecordWriter(path, _DEFLATIONS.get(compression))
    try:
        elements = input_dataset.iterate(run, "")
        while (element := elements.next()) is not None:
            writer.write(bytes(element[0]))
    finally:
        writer.close()
        run.close()
    return ()


@dataset_op("DatasetCardinality", "input_dataset: variant -> cardinality: int64")
def dataset_cardinality_op(xp, input_dataset):
    # Wraps to unsigned.
    return np.array(input_dataset.cardinality() % 2**64, np.uint64).astype(np.int64)[()]


@op("WrapDatasetVariant", "input_handle: variant -> output_handle: variant")
def wrap_dataset_variant_op(xp, input_handle):
    return _WrappedDataset(input_handle)


@op("UnwrapDatasetVariant", "input_handle: variant -> output_handle: variant")
def unwrap_dataset_variant_op(xp, input_handle):
    if not isinstance(input_handle, _WrappedDataset):
        invalid("Tensor must be a WrappedDataset variant object.")
    return input_handle.dataset


class _WrappedDataset(Dataset):
    """A dataset whose handle may be on a GPU."""

    def __init__(self, dataset: Any):
        self.dataset = dataset


wrap_dataset_variant_op.infer(lambda op: op.inputs[0]._dims)
unwrap_dataset_variant_op.infer(lambda op: op.inputs[0]._dims)
