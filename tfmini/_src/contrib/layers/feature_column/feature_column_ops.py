"""Inputs of networks and linear models, computed from feature columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import warn_of_experiment
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.framework.variables import model_variable
from tfmini._src.contrib.layers.feature_column.column import (
    Column,
    LookupArguments,
    inner_flatten,
    transform_column,
)
from tfmini._src.contrib.layers.feature_column.crossed_column import CrossedColumn
from tfmini._src.contrib.layers.feature_column.ids_encodings import (
    EmbeddingColumn,
    OneHotColumn,
    lookup_embeddings,
    restore,
    variable_parts,
)
from tfmini._src.contrib.layers.feature_column.real_valued_column import (
    BucketizedColumn,
    RealValuedColumn,
    real_valued_column,
)
from tfmini._src.contrib.layers.safe_embedding_lookup_sparse import safe_embedding_lookup_sparse
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature
from tfmini._src.ops.parsing.parse_example import parse_example
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope


def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Raises ValueError for a dict of columns, or duplicates."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    keys = set()
    for column in feature_columns:
        if column.key in keys:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means that the "
                "column is almost identical to another column, and one must be discarded."
            )
        keys.add(column.key)


def _sort_columns(feature_columns: Any) -> list:
    return sorted(set(feature_columns), key=lambda column: column.key)


def _flatten_to_rank(tensor: Any, name: str, rank: int) -> Any:
    ndims = tensor.get_shape().ndims
    if ndims is None and isinstance(tensor, SparseTensor):
        ndims = tensor.dense_shape.get_shape().as_list()[0]
    if ndims is None:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor can not be None."
        )
    if rank > ndims + 1:
        raise ValueError(
            f"Error while processing column {name}. Rank of input Tensor ({ndims}) should be the same as "
            f"output_rank ({rank}). For example, sequence data should typically be 3 dimensional (rank 3) "
            "while non-sequence data is typically 2 dimensional (rank 2)."
        )
    if rank == ndims + 1:
        if isinstance(tensor, SparseTensor):
            return ops.sparse_reshape(tensor, ops.concat([tensor.dense_shape, [1]], 0))
        result = ops.expand_dims(tensor, -1)
        result.set_shape([*tensor.get_shape().as_list(), 1])
        return result
    return inner_flatten(tensor, rank) if rank < ndims else tensor


def input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[Any],
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    cols_to_outs: dict[Any, Any] | None = None,
) -> Tensor:
    """Returns the input layer of a network: concatenated transformed columns.

    Args:
      columns_to_tensors: a dict from name to tensor.
      feature_columns: numeric, bucketized, embedding or one-hot columns.
      weight_collections: keys of collections for embedding variables.
      trainable: whether the variables are trainable.
      scope: scope name.
      cols_to_outs: a dict to fill with each column's output.

    Returns:
      Tensor float32 [batch, sum of widths].

    Raises:
      ValueError: for duplicate columns, or columns that are unusable in networks.

    Example:
      age = tf.contrib.layers.real_valued_column("age")
      tf.contrib.layers.input_from_feature_columns({"age": tf.constant([[30.0]])}, [age])
    """
    return _joined_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2, cols_to_outs
    )


def sequence_input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[Any],
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Tensor:
    """Returns the inputs of a recurrent network: transformed columns, concatenated at each step.

    Args:
      columns_to_tensors: a dict from name to tensor [batch, steps, ...].
      feature_columns: numeric or embedding columns.
      weight_collections, trainable, scope: as in `input_from_feature_columns`.

    Returns:
      Tensor float32 [batch, steps, sum of widths].

    Raises:
      ValueError: for columns that are unusable for sequences.
    """
    warn_of_experiment(
        "sequence_input_from_feature_columns", "layers.python.layers.feature_column_ops"
    )
    for column in feature_columns:
        if not isinstance(column, OneHotColumn | EmbeddingColumn | RealValuedColumn):
            raise ValueError(
                f"FeatureColumn type _{type(column).__name__} is not currently supported for sequence data."
            )
    for column in feature_columns:
        source = column
        while source := getattr(source, "sparse_id_column", None):
            if isinstance(source, BucketizedColumn | CrossedColumn):
                raise ValueError(
                    f"Column {source.name} is of type _{type(source).__name__}, which is not currently supported "
                    "for sequences."
                )
    return _joined_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3, None
    )


def _joined_columns(
    arguments: dict,
    feature_columns: Any,
    weight_collections: Any,
    trainable: bool,
    scope: Any,
    rank: int,
    cols_to_outs: dict | None,
) -> Tensor:
    tensors = arguments.copy()
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    name = "input_from_feature_columns"
    default_name = name if rank == 2 else f"sequence_{name}"
    with variable_scope(scope, default_name=default_name, values=tensors.values()):
        outputs = []
        for column in _sort_columns(feature_columns):
            with variable_scope(None, default_name=column.name, values=tensors.values()):
                tensor = transform_column(tensors, column)
                if rank == 3:
                    shaped = partial(_flatten_to_rank, name=column.name, rank=rank)
                    tensor = map_structure(shaped, tensor)
                outputs.append(_input(column, tensor, weight_collections, trainable, rank))
                if cols_to_outs is not None:
                    cols_to_outs[column] = outputs[-1]
        return ops.concat(outputs, rank - 1)


def _input(column: Column, tensor: Any, collections: Any, trainable: bool, rank: int) -> Any:
    try:
        arguments = column.deep_arguments(tensor)
    except NotImplementedError as unsupported:
        try:
            return column.dnn_input(tensor, rank)
        except ValueError as error:
            raise ValueError(
                f"Error creating input layer for column: {column.name}.\n{error}, {unsupported}"
            ) from error
    return lookup_embeddings(column, arguments, collections, trainable, rank)


def weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[Any],
    num_outputs: int,
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> tuple[Tensor, dict[Any, Any], Any]:
    """Computes a linear model: the weighted sum of columns, plus a bias.

    Args:
      columns_to_tensors: a dict from name to tensor.
      feature_columns: numeric or categorical columns.
      num_outputs: number of outputs.
      weight_collections: keys of collections for the variables.
      trainable: whether the variables are trainable.
      scope: scope name.

    Returns:
      (Tensor float32 [batch, num_outputs], a dict from column to list of variables, the bias variable).

    Raises:
      ValueError: for duplicate columns, or columns that are unusable in linear models.
    """
    tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    default_name = "weighted_sum_from_feature_columns"
    with variable_scope(scope, default_name=default_name, values=tensors.values()):
        sums, variables = [], {}
        for column in _sort_columns(feature_columns):
            tensor = transform_column(tensors, column)
            try:
                arguments = column.wide_arguments(tensor)
                parts, outputs = _wide(
                    column, tensors, arguments, num_outputs, trainable, weight_collections
                )
            except NotImplementedError:
                parts, outputs = _weighted_dense_column(
                    column, tensors, tensor, num_outputs, trainable, weight_collections
                )
            except ValueError as error:
                raise ValueError(
                    f"Error creating weighted sum for column: {column.name}.\n{error}"
                ) from error
            sums.append(ops.reshape(outputs, shape=(-1, num_outputs)))
            variables[column] = parts
            restore(column.checkpoint, parts)
        total = ops.add_n(sums)
        bias = _bias(num_outputs, trainable, weight_collections)
        return ops.bias_add(total, bias), variables, bias


def _bias(size: int, trainable: bool, collections: Any) -> Any:
    bias = _zeros("bias_weight", [size], trainable, collections)
    if isinstance(bias, Variable):  # unpartitioned
        logs.info("Created variable %s, with device=%s", bias.name, bias.device)
    return bias


def _zeros(name: str, shape: Any, trainable: bool, collections: Any) -> Any:
    if name == "bias_weight" and collections:
        collections = list({*collections, GraphKeys.GLOBAL_VARIABLES})
    return model_variable(
        name, shape=shape, initializer=Zeros(), trainable=trainable, collections=collections
    )


def _wide(
    column: Column,
    tensors: dict,
    arguments: LookupArguments,
    num_outputs: int,
    trainable: bool,
    collections: Any,
) -> tuple[list, Tensor]:
    with variable_scope(None, default_name=column.name, values=tensors.values()):
        variable = model_variable(
            name="weights",
            shape=[arguments.vocab_size, num_outputs],
            dtype=dtypes.float32,
            initializer=arguments.initializer,
            trainable=trainable,
            collections=collections,
        )
        parts = variable_parts(variable)
        outputs = safe_embedding_lookup_sparse(
            parts,
            arguments.input_tensor,
            sparse_weights=arguments.weight_tensor,
            combiner=arguments.combiner,
            name=column.name + "_weights",
        )
        return parts, outputs


def _weighted_dense_column(
    column: Column,
    tensors: dict,
    tensor: Any,
    num_outputs: int,
    trainable: bool,
    collections: Any,
) -> tuple[list, Tensor]:
    with variable_scope(None, default_name=column.name, values=tensors.values()):
        tensor = _flatten_to_rank(column.dense(tensor), column.name, 2)
        shape = [tensor.get_shape()[1], num_outputs]
        variable = _zeros("weight", shape, trainable, collections)
        return [variable], ops.matmul(tensor, variable, name="matmul")


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[Any],
    num_outputs: int,
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> tuple[Tensor, list[Any], Any]:
    """Computes a linear model of categorical columns whose weights are a single variable.

    Args:
      columns_to_tensors, feature_columns, num_outputs, weight_collections, trainable, scope: as in
        `weighted_sum_from_feature_columns`; columns must be categorical and unweighted, with combiner "sum".

    Returns:
      (Tensor float32 [batch, num_outputs], the list of weight variables, the bias variable).

    Raises:
      NotImplementedError: for numeric columns.
      AssertionError: for weighted columns, or other combiners.
    """
    tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    default_name = "joint_weighted_sum_from_feature_columns"
    with variable_scope(scope, default_name=default_name, values=tensors.values()):
        arguments = []
        for column in _sort_columns(feature_columns):
            tensor = transform_column(tensors, column)
            try:
                arguments.append(column.wide_arguments(tensor))
            except NotImplementedError:
                raise NotImplementedError(
                    "Real-valued columns are not supported. Use weighted_sum_from_feature_columns instead, "
                    "or bucketize these columns."
                ) from None
        parts, total = _joint(tensors, arguments, num_outputs, trainable, weight_collections)
        bias = _bias(num_outputs, trainable, weight_collections)
        return ops.bias_add(total, bias), parts, bias


def _joint(
    tensors: dict, arguments_list: list, num_outputs: int, trainable: bool, collections: Any
) -> tuple[list, Tensor]:
    for arguments in arguments_list:
        assert arguments.weight_tensor is None, (
            "Joint sums for weighted sparse columns are not supported. "
            "Please use weighted_sum_from_feature_columns instead."
        )
        assert arguments.combiner == "sum", (
            "Combiners other than sum are not supported for joint sums. "
            "Please use weighted_sum_from_feature_columns instead."
        )
    assert arguments_list, "At least one column must be in the model."
    size, slot_columns = 0, []
    for arguments in arguments_list:
        ids = arguments.input_tensor
        slot_columns.append(SparseTensor(ids.indices, ids.values + size, ids.dense_shape))
        size += arguments.vocab_size
    joined = ops.sparse_concat(1, slot_columns)
    with variable_scope(None, default_name="linear_weights", values=tensors.values()):
        parts = variable_parts(_zeros("weights", [size, num_outputs], trainable, collections))
        outputs = safe_embedding_lookup_sparse(
            parts, joined, sparse_weights=None, combiner="sum", name="_weights"
        )
        return parts, outputs


def create_feature_spec_for_parsing(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """Returns the parsing specs of columns, for `tf.io.parse_example`.

    Args:
      feature_columns: columns, or a dict of them.

    Raises:
      TypeError: if an item is not a column.
    """
    if isinstance(feature_columns, dict):
        feature_columns = feature_columns.values()
    specs: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, Column):
            raise TypeError(
                "feature_columns should only contain instances of _FeatureColumn. "
                f"Given column is {column}"
            )
        specs.update(column.config)
    return specs


def parse_feature_columns_from_examples(
    serialized: TensorLike,
    feature_columns: Iterable[Any],
    name: str | None = None,
    example_names: TensorLike | None = None,
) -> dict[Any, Any]:
    """Parses serialized Examples and transforms their features.

    Args:
      serialized: Tensor [batch] of strings.
      feature_columns: columns.
      example_names: string Tensor [batch], for error messages.

    Returns:
      A dict from name or column to tensor.
    """
    check_feature_columns(feature_columns)
    spec = create_feature_spec_for_parsing(feature_columns)
    tensors = parse_example(
        serialized=serialized, features=spec, name=name, example_names=example_names
    )
    for column in _sort_columns(feature_columns):
        transform_column(tensors, column)
    return tensors


def transform_features(features: dict[Any, Any], feature_columns: Iterable[Any]) -> dict[Any, Any]:
    """Transforms features as required by columns.

    Args:
      features: a dict from name to tensor.
      feature_columns: columns.

    Returns:
      A dict from column to tensor.
    """
    tensors = features.copy()
    check_feature_columns(feature_columns)
    for column in _sort_columns(feature_columns):
        transform_column(tensors, column)
    return {key: tensor for key, tensor in tensors.items() if key in feature_columns}


def infer_real_valued_columns(features: TensorLike) -> list[RealValuedColumn]:
    """Returns real-valued columns for features.

    Args:
      features: a numeric tensor, or a dict from names to numeric tensors.

    Raises:
      ValueError: if a feature is sparse or not numeric.
    """
    if not isinstance(features, dict):
        return [_infer_column("", features)]
    return [_infer_column(name, tensor) for name, tensor in features.items()]


def _infer_column(name: str, tensor: Any) -> RealValuedColumn:
    cure = "Please define corresponding FeatureColumn for tensor {} {}."
    if isinstance(tensor, SparseTensor):
        raise ValueError(f"SparseTensor is not supported for auto detection. {cure}", name, tensor)
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(
            f"Non integer or non floating types are not supported for auto detection. {cure}",
            name,
            tensor,
        )
    dimension = 1
    for size in tensor.get_shape().as_list()[1:]:
        dimension *= size
    return real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


def make_place_holder_tensors_for_base_features(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """Returns placeholders for the features required by columns, by name.

    Args:
      feature_columns: columns.
    """
    placeholders: dict[str, Any] = {}
    for key, spec in create_feature_spec_for_parsing(feature_columns).items():
        name = f"Placeholder_{key}"
        if isinstance(spec, VarLenFeature):
            placeholders[key] = ops.sparse_placeholder(spec.dtype, name=name)
        else:
            placeholders[key] = ops.placeholder(spec.dtype, shape=(None, spec.shape[0]), name=name)
    return placeholders
