"""Parsing of batches of tf.train.SequenceExample, with sequences padded to the longest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.example_wire import (
    NO_VALUES,
    Feature,
    MalformedRecordError,
    read_sequence_example,
)
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.parsing.attr_lengths import check_counted, feature_lists
from tfmini._src.ops.parsing.example_batch import element_count
from tfmini._src.ops.parsing.feature_batches import (
    KINDS,
    RaggedBatch,
    columns,
    fill,
    gather_values,
    pad_rows,
    sparse,
)
from tfmini._src.ops.parsing.parse_example import by_key, sparse_dims
from tfmini._src.ops.parsing.parse_single_sequence_example import (
    LIST_ATTRS,
    OUTPUTS,
    check_features,
    context_defaults,
    prepend_axes,
    with_context_and_lists,
)
from tfmini._src.ops.string.string_elements import array_shape, list_strings

_KEYS = Attr("list(string)", minimum=0)


class _Records:
    """Parsed records with names for errors; checks the dtypes of the `context` and `lists` features (key, dtype)."""

    def __init__(
        self, records: list[bytes], names: list[bytes], context: list[tuple], lists: list[tuple]
    ):
        if names and len(names) != len(records):
            invalid("example_names must be empty or have the correct number of elements")
        self.data = records
        self.names = [name.decode("utf-8", "replace") for name in names] or ["<unknown>"] * len(
            records
        )
        self.read = []
        for index, data in enumerate(records):
            try:
                self.read.append(read_sequence_example(data))
            except MalformedRecordError:
                invalid(f"Invalid protocol message input, example id: {self.names[index]}")
            features, steps = self.read[-1]
            for key, dtype in context:
                self._check("context", key, features.get(os.fsencode(key)), dtype)
            for key, dtype in lists:
                for feature in steps.get(os.fsencode(key), ()):
                    self._check("sequence", key, feature, dtype)

    def _check(self, role: str, key: str, feature: Feature | None, dtype: Any) -> None:
        """Raises an error if a feature of the last record has values of a different dtype."""
        if feature is not None and feature.kind not in (NO_VALUES, KINDS[dtype]):
            name = self.names[len(self.read) - 1]
            invalid(f"Error in {role} feature {key} in example {name}")

    def context(self, key: str, dtype: Any) -> tuple[list[int], RaggedBatch]:
        """Returns the values of a context feature and the indices of the records that contain it."""
        present, pairs = [], []
        for index, (features, _) in enumerate(self.read):
            feature = features.get(os.fsencode(key))
            if feature is not None and feature.kind != NO_VALUES:
                present.append(index)
                pairs.append((self.data[index], feature))
        return present, gather_values(dtype, pairs)

    def steps(self, key: str, dtype: Any) -> tuple[Any, RaggedBatch, list[int]]:
        """Returns the step count of each record, the values of all steps, and the records without the feature."""
        lengths = np.zeros(len(self.read), np.int64)
        pairs, missing = [], []
        for index, (_, lists) in enumerate(self.read):
            features = lists.get(os.fsencode(key))
            if features is None:
                missing.append(index)
                continue
            pairs += [(self.data[index], feature) for feature in features]
            lengths[index] = len(features)
        return lengths, gather_values(dtype, pairs), missing


def _context_dense(records: _Records, key: str, dtype: Any, shape: tuple, default: Any) -> Any:
    present, ragged = records.context(key, dtype)
    wrong = ragged.counts[ragged.counts != np.prod(shape, dtype=np.int64)]
    is_missing = len(present) < len(records.data) or not records.data
    if not wrong.size and is_missing and not element_count(default):
        wrong = np.zeros(1, np.int64)
    if wrong.size:
        # TensorFlow always reports 1, regardless of the shape.
        invalid(f"Inconsistent number of elements for feature {key}: {wrong[0]} vs 1")
    result = fill(dtype, (len(records.data), *shape), default)
    result[present] = ragged.values.reshape(len(present), *shape)
    return result


def _list_dense(
    records: _Records, key: str, dtype: Any, shape: tuple, may_be_missing: bool
) -> tuple:
    lengths, ragged, missing = records.steps(key, dtype)
    size = int(np.prod(shape, dtype=np.int64))
    wrong = np.flatnonzero(ragged.counts != size)
    record_of = np.repeat(np.arange(lengths.size), lengths)
    if missing and not may_be_missing and not (wrong.size and record_of[wrong[0]] < missing[0]):
        invalid(f"Missing feature {key} in example {records.names[missing[0]]}")
    if wrong.size:
        totals = np.bincount(record_of, ragged.counts).astype(np.int64)
        if totals.max() % max(size, 1):
            invalid(f"Unexpected shape error in feature {key}")
        name = records.names[record_of[wrong[0]]]
        invalid(f"Unexpected number of elements in feature {key}, example {name}")
    items = RaggedBatch(ragged.values, lengths * size)
    rows = len(records.data)
    pad = b"" if dtype.name == "string" else 0
    return pad_rows(dtype, items, list(range(rows)), rows, pad, shape), lengths


def _list_sparse(records: _Records, key: str, dtype: Any) -> tuple:
    lengths, ragged, _ = records.steps(key, dtype)
    indices = np.empty((len(ragged.values), 3), np.int64)
    row_of_step = np.repeat(np.arange(lengths.size), lengths)
    indices[:, 0] = np.repeat(row_of_step, ragged.counts)
    indices[:, 1] = np.repeat(columns(lengths), ragged.counts)
    indices[:, 2] = columns(ragged.counts)
    shape = [lengths.size, lengths.max(initial=0), ragged.counts.max(initial=0)]
    return indices, ragged.values, np.array(shape, np.int64)


@op(
    "ParseSequenceExample",
    "serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense -> "
    f"{OUTPUTS}, feature_list_dense_lengths: Nfeature_list_dense*int64",
    feature_list_dense_missing_assumed_empty=_KEYS,
    context_sparse_keys=_KEYS,
    context_dense_keys=_KEYS,
    feature_list_sparse_keys=_KEYS,
    feature_list_dense_keys=_KEYS,
    **LIST_ATTRS,
)
def parse_sequence_example_op(
    xp,
    serialized,
    debug_name,
    context_dense_defaults,
    *,
    feature_list_dense_missing_assumed_empty,
    context_sparse_keys,
    context_dense_keys,
    feature_list_sparse_keys,
    feature_list_dense_keys,
    context_sparse_types,
    Tcontext_dense,
    feature_list_dense_types,
    context_dense_shapes,
    feature_list_sparse_types,
    feature_list_dense_shapes,
):
    for index, (default, shape) in enumerate(zip(context_dense_defaults, context_dense_shapes)):
        if element_count(default) and array_shape(default) != shape:
            invalid(
                f"default_value[{index}].shape() == {shape_text(array_shape(default))} != "
                f"context_dense_shapes[{index}] == {shape_text(shape)}"
            )
    if len(array_shape(serialized)) != 1:
        invalid(
            f"Expected serialized to be a vector, got shape: {shape_text(array_shape(serialized))}"
        )
    records = _Records(
        list_strings(serialized),
        list_strings(debug_name),
        [*zip(context_dense_keys, Tcontext_dense), *zip(context_sparse_keys, context_sparse_types)],
        [
            *zip(feature_list_dense_keys, feature_list_dense_types),
            *zip(feature_list_sparse_keys, feature_list_sparse_types),
        ],
    )
    context = [
        _context_dense(records, *feature)
        for feature in zip(
            context_dense_keys, Tcontext_dense, context_dense_shapes, context_dense_defaults
        )
    ]
    context_parts = []
    for key, dtype in zip(context_sparse_keys, context_sparse_types):
        present, ragged = records.context(key, dtype)
        context_parts.append(sparse(ragged, present, len(records.data)))
    lists = [
        _list_dense(records, key, dtype, shape, key in feature_list_dense_missing_assumed_empty)
        for key, dtype, shape in zip(
            feature_list_dense_keys, feature_list_dense_types, feature_list_dense_shapes
        )
    ]
    list_parts = [
        _list_sparse(records, key, dtype)
        for key, dtype in zip(feature_list_sparse_keys, feature_list_sparse_types)
    ]
    return (
        *_transpose_parts(context_parts, 3),
        *context,
        *_transpose_parts(list_parts, 3),
        *_transpose_parts(lists, 2),
    )


def _transpose_parts(parts: list[tuple], count: int) -> list:
    """Transposes a list of parts: all first parts, then all second parts, and so on."""
    return [part[i] for i in range(count) for part in parts]


@parse_sequence_example_op.infer
def _(op) -> list[Dims]:
    attrs = op.attrs
    for feature_type, lists in feature_lists(attrs):
        keys = {f"{feature_type}_keys": attrs[f"{feature_type}_keys"]}
        check_counted(feature_type, attrs[f"N{feature_type}"], **keys, **lists)
    (rows,) = with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 1)
    return [
        *sparse_dims(attrs["Ncontext_sparse"], 2),
        *prepend_axes(attrs["context_dense_shapes"], (rows,)),
        *sparse_dims(attrs["Nfeature_list_sparse"], 3),
        *prepend_axes(attrs["feature_list_dense_shapes"], (rows, None)),
        *[(rows,)] * attrs["Nfeature_list_dense"],
    ]


def parse_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Parses a batch of serialized tf.train.SequenceExample records.

    Args:
      serialized: [n] string tensor.
      context_features: a dict from keys to FixedLenFeature or VarLenFeature, the per-record features.
      sequence_features: a dict from keys to FixedLenSequenceFeature or VarLenFeature, the per-step features.
      example_names: [n] string tensor of record names for error messages.

    Returns:
      Three dicts: the context features; the sequences, as Tensors [n, longest, ...] padded with zeros or empty
      strings if dense, or SparseTensors of rank 3 if variable-length; and the number of steps in each record,
      [n] int64.

    Raises:
      ValueError: if there are no features, or one is of an unsupported class.
      InvalidArgumentError (when run): for a malformed record, a missing feature, or a mismatched dtype or
        number of values.
    """
    context, lists = with_context_and_lists(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized]):
        check_features(context, lists)
        parse: Callable = raw.ParseSequenceExample
        parts = parse(
            serialized,
            [] if example_names is None else example_names,
            context_defaults(context, reshaped=False),
            list(lists.dense_defaults),
            context.sparse_keys,
            context.dense_keys,
            lists.sparse_keys,
            lists.dense_keys,
            Ncontext_sparse=len(context.sparse_keys),
            Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(lists.sparse_keys),
            Nfeature_list_dense=len(lists.dense_keys),
            context_sparse_types=context.sparse_types,
            feature_list_dense_types=lists.dense_types,
            context_dense_shapes=context.dense_shapes,
            feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_shapes=lists.dense_shapes,
            name=name,
        )
        return (
            by_key(context, *parts[:4]),
            by_key(lists, *parts[4:8]),
            dict(zip(lists.dense_keys, parts[8])),
        )
