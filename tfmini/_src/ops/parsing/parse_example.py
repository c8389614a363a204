"""Parsing of tf.train.Example records, batched or single."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.devices.host.example_wire import NO_VALUES
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.no_op_groups import with_dependencies
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.parsing.attr_lengths import check_counted, check_equal_lengths
from tfmini._src.ops.parsing.example_batch import Batch, element_count
from tfmini._src.ops.parsing.feature_specs import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RawFeatures,
    SparseFeature,
    VarLenFeature,
    combine_sparse_features,
    default_tensors,
    node_name,
    prepend_item_axis,
    raw_features,
)
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string

TYPES = (dtypes.float32, dtypes.int64, dtypes.string)
COUNT = Attr("int", minimum=0)
_TYPE_LIST = Attr("list(type)", minimum=0, allowed=TYPES)
_SHAPE_LIST = Attr("list(shape)", minimum=0)


def check_rank(rank: int, name: str, value: Any) -> None:
    shape = array_shape(value)
    if len(shape) != rank:
        rank_name = "vector" if rank else "scalar"
        invalid(f"Expected {name} to be a {rank_name}, got shape: {shape_text(shape)}")


@op(
    "ParseExample",
    "serialized: string, names: string, sparse_keys: Nsparse*string, dense_keys: Ndense*string, "
    "dense_defaults: Tdense -> sparse_indices: Nsparse*int64, sparse_values: sparse_types, "
    "sparse_shapes: Nsparse*int64, dense_values: Tdense",
    Nsparse=COUNT,
    Ndense=COUNT,
    sparse_types=_TYPE_LIST,
    Tdense=_TYPE_LIST,
    dense_shapes=_SHAPE_LIST,
)
def parse_example_op(
    xp,
    serialized,
    names,
    sparse_keys,
    dense_keys,
    dense_defaults,
    *,
    sparse_types,
    Tdense,
    dense_shapes,
):
    check_rank(1, "serialized", serialized)
    records, example_names = list_strings(serialized), list_strings(names)
    if example_names and len(example_names) != len(records):
        invalid(
            f"Expected len(names) == len(serialized), but got: {len(example_names)} vs. {len(records)}"
        )
    for name, tensors in (("sparse_keys", sparse_keys), ("dense_keys", dense_keys)):
        for index, key in enumerate(tensors):
            if element_count(key) != 1:
                check_rank(0, f"{name}[{index}]", key)
    keys = [scalar_string(key).decode(errors="replace") for key in (*sparse_keys, *dense_keys)]
    count = len(sparse_keys)
    dense = list(zip(keys[count:], Tdense, dense_shapes, dense_defaults))
    return parse_records(
        records, example_names or None, False, dense, list(zip(keys, sparse_types))
    )


def parse_records(
    records: list[bytes], names: list[bytes] | None, is_single: bool, dense: list, sparse: list
) -> tuple:
    """Parses features of records for the keys of `dense` (key, dtype, shape, default) and `sparse` (key, dtype)."""
    for index, (_, _, shape, default) in enumerate(dense):
        is_fixed = not shape or shape[0] is not None
        if is_fixed and element_count(default) and array_shape(default) != tuple(shape):
            invalid(
                f"def_value[{index}].shape() == {shape_text(array_shape(default))} is not compatible "
                f"with dense_shapes_[{index}] == {shape_text(shape)}"
            )
    try:
        keys = [*((key, dtype) for key, dtype, _, _ in dense), *sparse]
        batch = Batch(records, names, is_single, requested=keys)
        results = [batch.dense(*expected) for expected in dense]
        parts = [batch.sparse(*expected) for expected in sparse]
    except InvalidArgumentError:
        _raise_first_error(records, names, is_single, dense, sparse)
        raise
    return (*(p[0] for p in parts), *(p[1] for p in parts), *(p[2] for p in parts), *results)


def _raise_first_error(
    records: list[bytes], names: list[bytes] | None, is_single: bool, dense: list, sparse: list
) -> None:
    """Raises TensorFlow's first error: checks the features of a record from last to first, then missing ones."""
    dense_keys, sparse_keys = (
        {expected[0]: expected for expected in part} for part in (dense, sparse)
    )
    for index, record in enumerate(records):
        name = None if names is None else names[index : index + 1]
        batch = Batch([record], name, is_single, index)
        features = batch.features[0].items()
        actual = [key.decode("utf-8", "replace") for key, f in features if f.kind != NO_VALUES]
        for key in (*reversed(actual), *dense_keys):
            if key in dense_keys:
                batch.dense(*dense_keys[key])
            elif key in sparse_keys:
                batch.sparse(*sparse_keys[key])


@parse_example_op.infer
def _(op) -> list[Dims]:
    attrs = op.attrs
    check_equal_lengths("sparse_keys", attrs["Nsparse"], sparse_types=attrs["sparse_types"])
    dense = {"dense_types": attrs["Tdense"], "dense_shapes": attrs["dense_shapes"]}
    check_equal_lengths("dense_keys", attrs["Ndense"], **dense)
    (rows,) = with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 1)
    shapes = [(rows, *shape) for shape in attrs["dense_shapes"]]
    return [*sparse_dims(attrs["Nsparse"], 2), *shapes]


def sparse_dims(count: int, rank: int) -> list[Dims]:
    """Returns the static shapes of the components of `count` SparseTensors."""
    return [*[(None, rank)] * count, *[(None,)] * count, *[(rank,)] * count]


@op(
    "ParseSingleExample",
    "serialized: string, dense_defaults: Tdense -> sparse_indices: num_sparse*int64, "
    "sparse_values: sparse_types, sparse_shapes: num_sparse*int64, dense_values: Tdense",
    num_sparse=COUNT,
    sparse_keys=Attr("list(string)", minimum=0),
    dense_keys=Attr("list(string)", minimum=0),
    sparse_types=_TYPE_LIST,
    Tdense=_TYPE_LIST,
    dense_shapes=_SHAPE_LIST,
)
def parse_single_example_op(
    xp,
    serialized,
    dense_defaults,
    *,
    sparse_keys,
    dense_keys,
    sparse_types,
    Tdense,
    dense_shapes,
):
    check_rank(0, "serialized", serialized)
    dense = list(zip(dense_keys, Tdense, dense_shapes, dense_defaults))
    sparse_features = list(zip(sparse_keys, sparse_types))
    results = list(parse_records([scalar_string(serialized)], None, True, dense, sparse_features))
    count = len(sparse_keys)
    for index in range(count):
        results[index] = results[index][:, 1:]
        results[2 * count + index] = results[2 * count + index][1:]
    for index in range(3 * count, len(results)):
        results[index] = results[index][0]
    return tuple(results)


@parse_single_example_op.infer
def _(op) -> list[Dims]:
    attrs = op.attrs
    sparse = {name: attrs[name] for name in ("sparse_keys", "sparse_types")}
    check_counted("sparse", attrs["num_sparse"], **sparse)
    dense = {"dense_types": attrs["Tdense"], "dense_shapes": attrs["dense_shapes"]}
    check_equal_lengths("dense_keys", len(attrs["dense_keys"]), **dense)
    with_rank(op.inputs[0]._dims, 0)
    return [*sparse_dims(attrs["num_sparse"], 1), *attrs["dense_shapes"]]


_FEATURE_CLASSES = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def _check_keys(features: RawFeatures) -> None:
    features.check_disjoint("Dense and sparse keys must not intersect; intersection")


@public
def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    name: str | None = None,
    example_names: TensorLike | None = None,
) -> dict[str, Any]:
    """Parses a batch of serialized tf.train.Example records.

    Args:
      serialized: [n] string tensor.
      features: a dict from keys to FixedLenFeature, VarLenFeature, SparseFeature or FixedLenSequenceFeature.
      example_names: [n] string tensor of record names for error messages.

    Returns:
      A dict from the same keys to Tensors [n, ...] and SparseTensors.

    Raises:
      ValueError: if a feature spec is incomplete.
      InvalidArgumentError (when run): if a record is malformed, does not contain a feature without a
        default, or has a mismatched dtype or number of values.

    Example: `tf.parse_example(records, {"x": tf.FixedLenFeature([784], tf.float32)})["x"]`.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    features = prepend_item_axis(features) or {}
    specs = raw_features(features, _FEATURE_CLASSES)
    return combine_sparse_features(features, _parse_batch(serialized, example_names, specs, name))


def _parse_batch(
    serialized: Any, names: Any, features: RawFeatures, name: str | None
) -> dict[str, Any]:
    with name_scope(name, "ParseExample", [serialized, names]):
        _check_keys(features)
        defaults = default_tensors(features)
        parts = raw.ParseExample(
            serialized,
            [] if names is None else names,
            features.sparse_keys,
            features.dense_keys,
            defaults,
            sparse_types=features.sparse_types,
            dense_shapes=features.dense_shapes,
            name=name,
        )
        return by_key(features, *parts)


def by_key(features: RawFeatures, indices: Any, values: Any, shapes: Any, dense: Any) -> dict:
    """Returns the outputs of a parsing op as tensors by key."""
    sparse_tensors = [SparseTensor(*part) for part in zip(indices, values, shapes)]
    keys = [*features.sparse_keys, *features.dense_keys]
    return dict(zip(keys, [*sparse_tensors, *dense]))


def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    name: str | None = None,
    example_names: TensorLike | None = None,
) -> dict[str, Any]:
    """Parses a single serialized tf.train.Example; see `tf.parse_example`.

    Args:
      serialized: scalar string tensor.
      features: a dict from keys to features.
      example_names: scalar string tensor, the record name for error messages.

    Returns:
      A dict from the same keys to Tensors of the features' shapes and SparseTensors of rank 1.

    Raises:
      ValueError: if a feature spec is incomplete or `serialized` is not a scalar.
      InvalidArgumentError (when run): same as for `tf.parse_example`.
    """
    if not features:
        raise ValueError("Missing features.")
    features = prepend_item_axis(features) or {}
    specs = raw_features(features, _FEATURE_CLASSES)
    if example_names is not None:
        parsed = _parse_named(serialized, example_names, specs, name)
        return combine_sparse_features(features, parsed)
    with name_scope(name, "ParseSingleExample", [serialized]):
        serialized = ops.convert_to_tensor(serialized, name="serialized")
        _check_keys(specs)
        parts = raw.ParseSingleExample(
            serialized,
            default_tensors(specs),
            num_sparse=len(specs.sparse_keys),
            sparse_keys=specs.sparse_keys,
            dense_keys=specs.dense_keys,
            sparse_types=specs.sparse_types,
            dense_shapes=specs.dense_shapes,
            name=name,
        )
        parsed = by_key(specs, *parts)
    return combine_sparse_features(features, parsed)


def _parse_named(
    serialized: Any, names: Any, features: RawFeatures, name: str | None
) -> dict[str, Any]:
    """Parses a named record as a batch of one, and removes the batch axis."""
    with name_scope(name, "ParseSingleExample", [serialized, names]):
        serialized = _as_row(serialized, "serialized", "Serialized")
        names = _as_row(names, "names", "Names")
        parsed = _parse_batch(serialized, names, features, name)
        for key in features.dense_keys:
            parsed[key] = ops.squeeze(parsed[key], [0], name=f"Squeeze_{node_name(key)}")
        for key in features.sparse_keys:
            tensor, part = parsed[key], node_name(key)
            parsed[key] = SparseTensor(
                ops.slice(tensor.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{part}"),
                tensor.values,
                ops.slice(tensor.dense_shape, [1], [-1], name=f"Squeeze_Shape_{part}"),
            )
        return parsed


def _as_row(value: Any, argument: str, prefix: str) -> Any:
    tensor = ops.convert_to_tensor(value)
    if tensor.shape.ndims is None:
        message = f"Input {argument} must be a scalar"
        check = ops.Assert(ops.equal(ops.rank(tensor), 0), [message], name=f"{prefix}IsScalar")
        tensor = with_dependencies([check], tensor, name=f"{prefix}Dependencies")
    elif tensor.shape.ndims:
        raise ValueError(f"Input {argument} must be a scalar")
    return ops.expand_dims(tensor, 0)
