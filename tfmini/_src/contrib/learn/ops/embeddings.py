"""Embeddings of ids of any rank, and of categorical variables."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.embedding_lookup import embedding_lookup as lookup
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.variable_scope import variable_scope


@deprecated("2016-12-01", "Use `tf.embedding_lookup` instead.")
def embedding_lookup(params: TensorLike, ids: TensorLike, name: str = "embedding_lookup") -> Tensor:
    """Looks up the embeddings of ids of any rank.

    Args:
      params: embeddings, [ids, ...].
      ids: integers of any shape.
      name: prefix of node names.

    Returns:
      A tensor with the shape of `ids`, followed by the shape of an embedding.
    """
    with name_scope(name, "embedding_lookup", [params, ids]):
        params, ids = ops.convert_to_tensor(params), ops.convert_to_tensor(ids)
        shape = ops.shape(ids)
        flat = ops.reshape(ids, ops.reduce_prod(shape, keepdims=True))
        rows = lookup(params, flat, name)
        result = ops.reshape(rows, ops.concat([shape, [-1]], 0))
        result.set_shape(ids.get_shape().concatenate(params.get_shape()[1:]))
        return result


@deprecated("2016-12-01", "Use `tf.contrib.layers.embed_sequence` instead.")
def categorical_variable(
    tensor_in: TensorLike, n_classes: int, embedding_size: int, name: str
) -> Tensor:
    """Returns the trainable embeddings of the classes of a categorical variable.

    Args:
      tensor_in: integers of any shape, below `n_classes`.
      n_classes: number of classes.
      embedding_size: number of floats per embedding.
      name: variable scope, and prefix of the embeddings' name.

    Returns:
      Floats with the shape of `tensor_in`, followed by `embedding_size`.

    Example: for `sex` [batch], `tf.contrib.learn.ops.categorical_variable(sex, 2, 3, "sex")` is [batch, 3].
    """
    with variable_scope(name):
        embeddings = get_variable(name + "_embeddings", [n_classes, embedding_size])
        return embedding_lookup(embeddings, tensor_in)
