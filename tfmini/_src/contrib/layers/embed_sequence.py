"""Embedding layers for ids: one vector per id of a sequence, or their mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.framework.variables import model_variable
from tfmini._src.contrib.layers.dense_to_sparse import drop_value
from tfmini._src.contrib.layers.safe_embedding_lookup_sparse import (
    embedding_lookup_unique,
    safe_embedding_lookup_sparse,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope


def embed_sequence(
    ids: Tensor | Variable,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: str | Callable[..., Any] | None = None,
    regularizer: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    reuse: bool | None = None,
) -> Any:
    """Looks up the embedding of each id, [batch, length, embed_dim], in a new variable `embeddings`.

    Args:
      ids: [batch, length], int32 or int64.
      vocab_size, embed_dim: number of rows, and row size; may be None when reusing.
      unique: whether to look up each distinct id only once.
      initializer, regularizer: initializer and regularizer of the embeddings.
      trainable: whether the variables are trainable.
      scope: variable scope name.
      reuse: whether to reuse that scope's variable.

    Raises:
      ValueError: if a size is None without reuse.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            "Must specify vocab size and embedding dimension when not reusing. Got "
            f"vocab_size={vocab_size} and embed_dim={embed_dim}"
        )
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        unknown = (reuse and vocab_size is None) or embed_dim is None
        embeddings = model_variable(
            "embeddings",
            shape=None if unknown else [vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if unique:
            return embedding_lookup_unique(embeddings, ids)
        return ops.embedding_lookup(embeddings, ids)


def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: str | Callable[..., Any] | None = None,
    regularizer: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    reuse: bool | None = None,
) -> Any:
    """Returns the mean embedding of each row's ids, [batch, embed_dim].

    Args:
      ids: [batch, length], int32 or int64, or a SparseTensor.
      vocab_size, embed_dim: number and size of rows of the variable `embeddings`.
      sparse_lookup: whether to look ids up as a SparseTensor, in which 0 is not an id.
      initializer, regularizer, trainable, scope, reuse: as in `embed_sequence`.

    Raises:
      ValueError: if a size is None without reuse.
      TypeError: for sparse ids without `sparse_lookup`.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        is_sparse = isinstance(ids, SparseTensor)
        if sparse_lookup:
            sparse_ids = ids if is_sparse else drop_value(ids)
            return safe_embedding_lookup_sparse(
                [embeddings], sparse_ids, combiner="mean", default_id=0
            )
        if is_sparse:
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return ops.reduce_mean(ops.embedding_lookup(embeddings, ids), axis=1)
