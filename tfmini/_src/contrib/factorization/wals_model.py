"""Weighted alternating least squares as a graph, alternating between rows and columns of a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.factorization.wals_updates import Side, process, scatter_update
from tfmini._src.contrib.factorization.wals_variables import (
    Cache,
    cache_variables,
    create_factors,
    create_gramian,
    create_weights,
    prepare_gramian,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.collections import variables_initializer


class WALSModel:
    """Graph of a factorization of a sparse matrix A ≈ U Vᵀ.

    It minimizes the sum of w (a - u vᵀ)² over all entries and the regularization λ (|U|² + |V|²), where w is
    `unobserved_weight`, plus the product of the row's and the column's weight for observed entries.

    Args:
      input_rows, input_cols: number of rows and columns of A.
      n_components: length of the rows of U and V.
      unobserved_weight: weight of unobserved entries.
      regularization: λ; None for 0.
      row_init, col_init: "random", a tensor or array, a list of them per shard, or a function that returns one.
      num_row_shards, num_col_shards: number of variables for U and V.
      row_weights, col_weights: a number, a list of numbers, or a list of lists by shard; with None for both, observed
        entries have the weight of unobserved ones.
      use_factors_weights_cache, use_gramian_cache: whether sweeps read cached variables.
      use_scoped_vars: whether to create variables in name scopes.

    Raises:
      ValueError: for weights of the wrong type.

    Example:
      model = tf.contrib.factorization.WALSModel(4, 6, 2)
      _, update_rows, loss, _, _ = model.update_row_factors(sp_input=matrix)
      session.run(model.initialize_op)
      session.run(model.worker_init)
      session.run(model.row_update_prep_gramian_op)
      session.run(model.initialize_row_update_op)
      session.run(update_rows)
    """

    worker_init: Any = read_only("Fills the copies of weights; each worker runs it once.")

    def __init__(
        self,
        input_rows: int,
        input_cols: int,
        n_components: int,
        unobserved_weight: float = 0.1,
        regularization: float | None = None,
        row_init: str | TensorLike | Callable[..., Any] = "random",
        col_init: str | TensorLike | Callable[..., Any] = "random",
        num_row_shards: int = 1,
        num_col_shards: int = 1,
        row_weights: TensorLike = 1,
        col_weights: TensorLike = 1,
        use_factors_weights_cache: bool = True,
        use_gramian_cache: bool = True,
        use_scoped_vars: bool = False,
    ):
        self._counts, self._shards = (input_rows, input_cols), (num_row_shards, num_col_shards)
        self._unobserved_weight, self._regularization = unobserved_weight, regularization
        self._regularization_matrix = (
            None if regularization is None else regularization * ops.eye(n_components)
        )
        assert (row_weights is None) == (col_weights is None)
        results: dict[str, Any] = {}
        for side_name, value in (
            ("weights", (row_weights, col_weights)),
            ("factors", (row_init, col_init)),
        ):
            for side, name in enumerate(("row", "col")):
                full = f"{name}_{side_name}"
                count, shards = self._counts[side], self._shards[side]
                with name_scope(full) if use_scoped_vars else nullcontext():
                    if side_name == "weights":
                        results[full] = create_weights(value[side], count, shards, full)
                    else:
                        results[full] = create_factors(
                            count, n_components, shards, value[side], full
                        )
        self._weights = results["row_weights"], results["col_weights"]
        self._factors = results["row_factors"], results["col_factors"]
        self._gramians = (
            create_gramian(n_components, "row_gramian"),
            create_gramian(n_components, "col_gramian"),
        )
        with name_scope("row_prepare_gramian"):
            prepared = prepare_gramian(self._factors[1], self._gramians[1])
        with name_scope("col_prepare_gramian"):
            self._prepared = prepared, prepare_gramian(self._factors[0], self._gramians[0])
        with name_scope("transient_vars"):
            self._create_caches(use_factors_weights_cache, use_gramian_cache)

    def _create_caches(self, caches_factors: bool, caches_gramians: bool) -> None:
        sides = (
            ("factors_cache", self._factors, caches_factors),
            ("wt_cache", self._weights, caches_factors),
            ("gramian_cache", self._gramians, caches_gramians),
        )
        factors, weights, gramians = (
            tuple(
                cache_variables(variables[side], f"{name}_{side_name}", copied)
                for side, name in enumerate(("row", "col"))
            )
            for side_name, variables, copied in sides
        )
        self._caches: tuple[tuple[Cache, Cache], ...] = (factors, weights, gramians)  # type: ignore[assignment]
        self._updates_init = tuple(
            ops.group(
                factors[1 - side].init,
                factors[side].reset,
                gramians[1 - side].init,
                gramians[side].reset,
            )
            for side in (0, 1)
        )
        if weights[0].used is None:
            self._worker_init = ops.no_op(name="worker_init")
        else:
            self._worker_init = ops.group(weights[0].init, weights[1].init, name="worker_init")

    @property
    def row_factors(self) -> list[Any]:
        """Variables of U, float32 [rows, n_components]."""
        return self._factors[0]

    @property
    def col_factors(self) -> list[Any]:
        """Variables of V, float32 [columns, n_components]."""
        return self._factors[1]

    @property
    def row_weights(self) -> Any:
        """Row weight variables, or None."""
        return self._weights[0]

    @property
    def col_weights(self) -> Any:
        """Column weight variables, or None."""
        return self._weights[1]

    @property
    def initialize_op(self) -> Any:
        """Operation that initializes the variables."""
        variables = self._factors[0] + self._factors[1] + list(self._gramians)
        if self._weights[0] is not None:
            variables.extend(self._weights[0] + self._weights[1])
        return variables_initializer(variables)

    @property
    def row_update_prep_gramian_op(self) -> Any:
        """Operation that computes VᵀV; the chief runs it before a row sweep."""
        return self._prepared[0]

    @property
    def col_update_prep_gramian_op(self) -> Any:
        """Operation that computes UᵀU; the chief runs it before a column sweep."""
        return self._prepared[1]

    @property
    def initialize_row_update_op(self) -> Any:
        """Operation that fills the caches for a row sweep; workers run it after `row_update_prep_gramian_op`."""
        return self._updates_init[0]

    @property
    def initialize_col_update_op(self) -> Any:
        """Operation that fills the caches for a column sweep; workers run it after `col_update_prep_gramian_op`."""
        return self._updates_init[1]

    @classmethod
    def scatter_update(
        cls,
        factor: list[Any],
        indices: TensorLike,
        values: TensorLike,
        sharding_func: Callable[..., Any],
        name: str | None = None,
    ) -> Any:
        """Sets rows of factors.

        Args:
          factor: the factor's variables.
          indices: row indices in the whole matrix.
          values: [rows, n_components].
          sharding_func: function from row indices to variable indices and rows within these.
        """
        return scatter_update(factor, indices, values, sharding_func, name)

    def update_row_factors(
        self, sp_input: SparseTensor | None = None, transpose_input: bool = False
    ) -> tuple[Tensor, Any, Tensor, Tensor, Tensor]:
        """Computes new rows of U.

        Args:
          sp_input: rows of A, a SparseTensor of the full shape: some rows complete, the others empty.
          transpose_input: whether `sp_input` is transposed, with some columns complete.

        Returns:
          The new rows, in order of first occurrence; the operation that sets them; the loss of A without
          regularization, from these rows; the regularization; the sum of the weights.
        """
        return process(self._side(0), sp_input, transpose_input)

    def update_col_factors(
        self, sp_input: SparseTensor | None = None, transpose_input: bool = False
    ) -> tuple[Tensor, Any, Tensor, Tensor, Tensor]:
        """Computes new rows of V from columns of A; arguments and results as in `update_row_factors`."""
        return process(self._side(1), sp_input, not transpose_input)

    def project_row_factors(
        self,
        sp_input: SparseTensor | None = None,
        transpose_input: bool = False,
        projection_weights: TensorLike | None = None,
    ) -> Tensor:
        """Computes rows of U without updating them.

        Args:
          sp_input, transpose_input: as in `update_row_factors`.
          projection_weights: row weights, a number or one for each; by default 1.

        Returns:
          The rows, float32 [rows, n_components].
        """
        weights = 1 if projection_weights is None else projection_weights
        return process(self._side(0), sp_input, transpose_input, weights)[0]

    @arguments_of(project_row_factors)
    def project_col_factors(self, sp_input: Any, transpose_input: bool, weights: Any) -> Tensor:
        """Computes rows of V without updating them; arguments and result as in `project_row_factors`."""
        weights = 1 if weights is None else weights
        return process(self._side(1), sp_input, not transpose_input, weights)[0]

    def _side(self, side: int) -> Side:
        other = 1 - side
        factors, weights, gramians = self._caches
        return Side(
            name="col" if side else "row",
            left=self._factors[side],
            right=factors[other].used,
            left_weights=weights[side].used,
            right_weights=weights[other].used,
            size=self._counts[side],
            other_size=self._counts[other],
            shards=self._shards[side],
            gramian=gramians[other].used,
            is_weighted=self._weights[0] is not None,
            unobserved_weight=self._unobserved_weight,
            regularization=self._regularization,
            regularization_matrix=self._regularization_matrix,
        )
