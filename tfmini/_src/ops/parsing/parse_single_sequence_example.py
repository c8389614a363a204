"""Parsing of tf.train.SequenceExample records, single or batched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.example_wire import (
    KIND_NAMES,
    NO_VALUES,
    Feature,
    MalformedRecordError,
    read_sequence_example,
)
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, InferenceError, text, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text, unwrap_string
from tfmini._src.ops.parsing.attr_lengths import check_equal_lengths, feature_lists
from tfmini._src.ops.parsing.example_batch import element_count, raise_malformed_record
from tfmini._src.ops.parsing.feature_batches import KINDS, columns, empty, fill, gather_values
from tfmini._src.ops.parsing.feature_specs import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RawFeatures,
    VarLenFeature,
    node_name,
    raw_features,
)
from tfmini._src.ops.parsing.parse_example import (
    TYPES,
    by_key,
    check_rank,
    sparse_dims,
)
from tfmini._src.ops.string.string_elements import list_strings, scalar_string

_TYPE_LIST = Attr("list(type)", [], minimum=0, allowed=TYPES)
_SHAPE_LIST = Attr("list(shape)", [], minimum=0)
_COUNT = Attr("int", 0, minimum=0)
OUTPUTS = (
    "context_sparse_indices: Ncontext_sparse*int64, context_sparse_values: context_sparse_types, "
    "context_sparse_shapes: Ncontext_sparse*int64, context_dense_values: Tcontext_dense, "
    "feature_list_sparse_indices: Nfeature_list_sparse*int64, "
    "feature_list_sparse_values: feature_list_sparse_types, "
    "feature_list_sparse_shapes: Nfeature_list_sparse*int64, "
    "feature_list_dense_values: feature_list_dense_types"
)
LIST_ATTRS: dict[str, Any] = {
    "Ncontext_sparse": _COUNT,
    "Ncontext_dense": _COUNT,
    "Nfeature_list_sparse": _COUNT,
    "Nfeature_list_dense": _COUNT,
    "context_sparse_types": _TYPE_LIST,
    "Tcontext_dense": _TYPE_LIST,
    "feature_list_dense_types": _TYPE_LIST,
    "context_dense_shapes": _SHAPE_LIST,
    "feature_list_sparse_types": _TYPE_LIST,
    "feature_list_dense_shapes": _SHAPE_LIST,
}


class _Record:
    """A record: its bytes, content, and name for error messages."""

    def __init__(self, data: bytes, name: str):
        self.data = data
        self.name = name
        self.context, self.lists = read_sequence_example(data)

    def feature(self, key: str, dtype: Any) -> Feature | None:
        """Returns the context feature with a key and dtype; None if it is missing or has no kind."""
        feature = self.context.get(os.fsencode(key))
        if feature is None or feature.kind == NO_VALUES:
            return None
        if feature.kind != KINDS[dtype]:
            invalid(
                f"Name: {self.name}, Context feature: {key}.  Data types don't match. Expected "
                f"type: {KIND_NAMES[KINDS[dtype]]}  Feature is: {self._feature_text(feature)}"
            )
        return feature

    def checked_features(
        self, key: str, dtype: Any, title: str, shape: tuple | None = None
    ) -> list[Feature]:
        """Returns the features of a list, checking dtypes; those before a mismatch are checked for `shape` first."""
        features = self.lists.get(os.fsencode(key), [])
        for index, feature in enumerate(features):
            if feature.kind == NO_VALUES and title == "Feature List":
                continue  # a step without values in a SparseTensor
            if feature.kind != KINDS[dtype]:
                if shape is not None:
                    self.gather(key, dtype, features[:index], shape)
                invalid(
                    f"Name: {self.name}, {title}: {key}, Index: {index}.  Data types don't match. "
                    f"Expected type: {KIND_NAMES[KINDS[dtype]]}  Feature is: {self._feature_text(feature)}"
                )
        return features

    def gather(self, key: str, dtype: Any, features: list[Feature], shape: tuple) -> Any:
        """Returns the values of features, each with shape `shape`."""
        values, counts = gather_values(dtype, [(self.data, feature) for feature in features])
        wrong = np.flatnonzero(counts != np.prod(shape, dtype=np.int64))
        if wrong.size:
            self.raise_count_error(key, int(wrong[0]), dtype, int(counts[wrong[0]]), shape)
        return values.reshape(len(features), *shape)

    def _feature_text(self, feature: Feature) -> str:
        message = proto.Feature()
        field = {1: "bytes_list", 2: "float_list", 3: "int64_list"}.get(feature.kind)
        if field is not None:
            dtype = {v: k for k, v in KINDS.items()}[feature.kind]
            values = gather_values(dtype, [(self.data, feature)]).values
            getattr(message, field).value.extend(values.tolist())
            getattr(message, field).SetInParent()
        return str(message)

    def raise_count_error(self, key: str, index: int, dtype: Any, count: int, shape: tuple) -> None:
        # TensorFlow has two error messages.
        type_name, name, size = KIND_NAMES[KINDS[dtype]], "Key:", "values size"
        if dtype is dtypes.string:
            type_name, name, size = "bytes", "Key", "Values size"
        invalid(
            f"Name: {self.name}, {name} {key}, Index: {index}.  Number of {type_name} values != expected."
            f"  {size}: {count} but output shape: {shape_text(shape)}"
        )


def _parse_record(data: bytes, name: str) -> _Record:
    try:
        return _Record(data, name)
    except MalformedRecordError:
        raise_malformed_record(data)
        raise


def _context_dense(record: _Record, key: str, dtype: Any, shape: tuple, default: Any) -> Any:
    feature = record.feature(key, dtype)
    if feature is None:
        if not element_count(default):
            invalid(
                f"Name: {record.name}, Context feature '{key}' is required but could not be found."
            )
        return unwrap_string(fill(dtype, shape, default))
    values = gather_values(dtype, [(record.data, feature)]).values
    if len(values) != np.prod(shape, dtype=np.int64):
        record.raise_count_error(key, 0, dtype, len(values), shape)
    return unwrap_string(values.reshape(shape))


def _context_sparse(record: _Record, key: str, dtype: Any) -> tuple:
    feature = record.feature(key, dtype)
    if feature is None:
        values = empty(dtype, (0,))
    else:
        values = gather_values(dtype, [(record.data, feature)]).values
    count = len(values)
    return np.arange(count)[:, np.newaxis], values, np.array([count], np.int64)


def _list_dense(record: _Record, key: str, dtype: Any, shape: tuple, may_be_missing: bool) -> Any:
    if os.fsencode(key) not in record.lists and not may_be_missing:
        invalid(
            f"Name: {record.name}, Feature list '{key}' is required but could not be found.  Did "
            "you mean to include it in feature_list_dense_missing_assumed_empty or "
            "feature_list_dense_defaults?"
        )
    features = record.checked_features(key, dtype, "Feature list", shape)
    return record.gather(key, dtype, features, shape)


def _list_sparse(record: _Record, key: str, dtype: Any) -> tuple:
    features = record.checked_features(key, dtype, "Feature List")
    values, counts = gather_values(dtype, [(record.data, feature) for feature in features])
    indices = np.empty((len(values), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(features)), counts)
    indices[:, 1] = columns(counts)
    return indices, values, np.array([len(features), counts.max(initial=0)], np.int64)


@op(
    "ParseSingleSequenceExample",
    "serialized: string, feature_list_dense_missing_assumed_empty: string, "
    "context_sparse_keys: Ncontext_sparse*string, context_dense_keys: Ncontext_dense*string, "
    "feature_list_sparse_keys: Nfeature_list_sparse*string, "
    "feature_list_dense_keys: Nfeature_list_dense*string, "
    f"context_dense_defaults: Tcontext_dense, debug_name: string -> {OUTPUTS}",
    **LIST_ATTRS,
)
def parse_single_sequence_example_op(
    xp,
    serialized,
    assumed_empty,
    context_sparse_keys,
    context_dense_keys,
    list_sparse_keys,
    list_dense_keys,
    context_defaults,
    debug_name,
    *,
    context_sparse_types,
    Tcontext_dense,
    feature_list_dense_types,
    context_dense_shapes,
    feature_list_sparse_types,
    feature_list_dense_shapes,
):
    check_rank(0, "serialized", serialized)
    check_rank(1, "feature_list_dense_missing_assumed_empty", assumed_empty)
    for name, keys in (
        ("context_sparse_keys", context_sparse_keys),
        ("context_dense_keys", context_dense_keys),
        ("feature_list_sparse_keys", list_sparse_keys),
        ("feature_list_dense_keys", list_dense_keys),
    ):
        for index, key in enumerate(keys):
            check_rank(0, f"{name}[{index}]", key)
    check_rank(0, "debug_name", debug_name)
    record = _parse_record(
        scalar_string(serialized), scalar_string(debug_name).decode("utf-8", "replace")
    )
    missing = set(list_strings(assumed_empty))
    context = [
        _context_dense(record, key, *arguments)
        for key, *arguments in zip(
            _texts(context_dense_keys), Tcontext_dense, context_dense_shapes, context_defaults
        )
    ]
    context_parts = [
        _context_sparse(record, key, dtype)
        for key, dtype in zip(_texts(context_sparse_keys), context_sparse_types)
    ]
    lists = [
        _list_dense(record, key, dtype, shape, os.fsencode(key) in missing)
        for key, dtype, shape in zip(
            _texts(list_dense_keys), feature_list_dense_types, feature_list_dense_shapes
        )
    ]
    list_parts = [
        _list_sparse(record, key, dtype)
        for key, dtype in zip(_texts(list_sparse_keys), feature_list_sparse_types)
    ]
    return (*_transpose_parts(context_parts), *context, *_transpose_parts(list_parts), *lists)


def _texts(keys: tuple) -> list[str]:
    return [os.fsdecode(scalar_string(key)) for key in keys]


def _transpose_parts(parts: list[tuple]) -> list:
    """Transposes a list of parts: all indices, then all values, then all shapes."""
    return [part[i] for i in range(3) for part in parts]


@parse_single_sequence_example_op.infer
def _(op) -> list[Dims]:
    attrs = op.attrs
    for feature_type, lists in feature_lists(attrs):
        check_equal_lengths(f"{feature_type}_keys", attrs[f"N{feature_type}"], **lists)
    with_rank(op.inputs[0]._dims, 0)
    with_rank(op.inputs[1]._dims, 1)
    return [
        *sparse_dims(attrs["Ncontext_sparse"], 1),
        *prepend_axes(attrs["context_dense_shapes"], ()),
        *sparse_dims(attrs["Nfeature_list_sparse"], 2),
        *prepend_axes(attrs["feature_list_dense_shapes"], (None,)),
    ]


def prepend_axes(shapes: Any, axes: tuple) -> list[Dims]:
    """Prepends axes to the shapes of features, which must be known."""
    for shape in shapes:
        if shape is None or None in shape:
            raise InferenceError(f"Shape {text(shape)} is not fully defined")
    return [(*axes, *shape) for shape in shapes]


def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_name: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parses a single serialized tf.train.SequenceExample.

    Args:
      serialized: scalar string tensor.
      context_features: a dict from keys to FixedLenFeature or VarLenFeature, the per-record features.
      sequence_features: a dict from keys to FixedLenSequenceFeature or VarLenFeature, the per-step features.
      example_name: scalar string tensor, the record name for error messages.

    Returns:
      Two dicts: the context features, and the sequences, as Tensors [steps, ...] if dense or SparseTensors of
      rank 2 if variable-length.

    Raises:
      ValueError: if there are no features, or one is of an unsupported class.
      InvalidArgumentError (when run): for a malformed record, a missing feature, or a mismatched dtype or
        number of values.
    """
    context, lists = with_context_and_lists(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized]):
        check_features(context, lists)
        parts = raw.ParseSingleSequenceExample(
            serialized,
            list(lists.dense_defaults),
            context.sparse_keys,
            context.dense_keys,
            lists.sparse_keys,
            lists.dense_keys,
            context_defaults(context, reshaped=True),
            "" if example_name is None else example_name,
            context_sparse_types=context.sparse_types,
            feature_list_dense_types=lists.dense_types,
            context_dense_shapes=context.dense_shapes,
            feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_shapes=lists.dense_shapes,
            name=name,
        )
        return by_key(context, *parts[:4]), by_key(lists, *parts[4:])


def with_context_and_lists(
    context_features: Mapping[str, Any] | None, sequence_features: Mapping[str, Any] | None
) -> tuple[RawFeatures, RawFeatures]:
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    return (
        raw_features(context_features, (VarLenFeature, FixedLenFeature)),
        raw_features(sequence_features, (VarLenFeature, FixedLenSequenceFeature)),
    )


def check_features(context: RawFeatures, lists: RawFeatures) -> None:
    context.check_disjoint("context_dense and context_sparse keys must not intersect; intersection")
    lists.check_disjoint(
        "feature_list_dense and feature_list_sparse keys must not intersect; intersection"
    )
    for key, value in lists.dense_defaults.items():
        if value is not None:
            raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")


def context_defaults(context: RawFeatures, reshaped: bool) -> list[Tensor]:
    defaults = []
    for key, dtype, shape in zip(context.dense_keys, context.dense_types, context.dense_shapes):
        value = context.dense_defaults.get(key)
        if value is None:
            value = ops.constant([], dtype=dtype)
        elif not isinstance(value, Tensor):
            value = ops.convert_to_tensor(value, dtype=dtype, name="key_" + node_name(key))
            if reshaped:
                value = ops.reshape(value, shape)
        defaults.append(value)
    return defaults
