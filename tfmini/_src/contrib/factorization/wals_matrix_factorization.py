"""`tf.contrib.factorization.WALSMatrixFactorization`: weighted alternating least squares as an Estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.factorization.wals_hooks import CountStep, StopAfterSweeps, SweepHook
from tfmini._src.contrib.factorization.wals_model import WALSModel
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.variables.variable import Variable


class WALSMatrixFactorization(Estimator):
    """Factorization of a sparse matrix A ≈ U Vᵀ, by alternating sweeps over rows and columns.

    Input functions return (features, None). The features are a dict: `INPUT_ROWS`, some rows of A, a SparseTensor with
    A's shape; `INPUT_COLS`, some rows of Aᵀ with Aᵀ's shape; except in training, `PROJECT_ROW`, which selects one of
    them, and optionally `PROJECTION_WEIGHTS`, weights of the projected rows or columns.

    Args:
      num_rows, num_cols: number of rows and columns of A.
      embedding_dimension: length of the rows of U and V.
      unobserved_weight: weight of unobserved entries.
      regularization_coeff: λ of the regularization λ (|U|² + |V|²); None for 0.
      row_init, col_init, num_row_shards, num_col_shards, row_weights, col_weights: as in `WALSModel`.
      use_factors_weights_cache_for_training, use_gramian_cache_for_training: whether sweeps read cached variables.
      max_sweeps: number of sweeps to train; None to limit only the number of steps.
      model_dir: checkpoint directory.
      config: a RunConfig of `tf.contrib.learn`.

    Raises:
      ValueError: if `config` has several workers.

    Example:
      model = tf.contrib.factorization.WALSMatrixFactorization(4, 6, 2, max_sweeps=10)
      model.fit(input_fn=input_fn).get_row_factors()
    """

    INPUT_ROWS = "input_rows"
    INPUT_COLS = "input_cols"
    PROJECT_ROW = "project_row"
    PROJECTION_WEIGHTS = "projection_weights"
    PROJECTION_RESULT = "projection"
    COMPLETED_SWEEPS = "completed_sweeps"
    LOSS = "WALS_loss"
    RWSE = "WALS_RWSE"

    def __init__(
        self,
        num_rows: int,
        num_cols: int,
        embedding_dimension: int,
        unobserved_weight: float = 0.1,
        regularization_coeff: float | None = None,
        row_init: str | TensorLike | Callable[..., Any] = "random",
        col_init: str | TensorLike | Callable[..., Any] = "random",
        num_row_shards: int = 1,
        num_col_shards: int = 1,
        row_weights: TensorLike = 1,
        col_weights: TensorLike = 1,
        use_factors_weights_cache_for_training: bool = True,
        use_gramian_cache_for_training: bool = True,
        max_sweeps: int | None = None,
        model_dir: str | None = None,
        config: Any = None,
    ):
        params = {
            "num_rows": num_rows,
            "num_cols": num_cols,
            "embedding_dimension": embedding_dimension,
            "unobserved_weight": unobserved_weight,
            "regularization_coeff": regularization_coeff,
            "row_init": row_init,
            "col_init": col_init,
            "num_row_shards": num_row_shards,
            "num_col_shards": num_col_shards,
            "row_weights": row_weights,
            "col_weights": col_weights,
            "max_sweeps": max_sweeps,
            "use_factors_weights_cache_for_training": use_factors_weights_cache_for_training,
            "use_gramian_cache_for_training": use_gramian_cache_for_training,
        }
        self._row_names = [f"row_factors_shard_{i}" for i in range(num_row_shards)]
        self._column_names = [f"col_factors_shard_{i}" for i in range(num_col_shards)]
        super().__init__(model_fn=_model_fn, params=params, model_dir=model_dir, config=config)
        if self._config.num_worker_replicas > 1:
            raise ValueError("WALSMatrixFactorization must be run on a single worker replica.")

    def get_row_factors(self) -> list[Any]:
        """Returns U in the latest checkpoint, one array per shard."""
        return [self.get_variable_value(name) for name in self._row_names]

    def get_col_factors(self) -> list[Any]:
        """Returns V in the latest checkpoint, one array per shard."""
        return [self.get_variable_value(name) for name in self._column_names]

    def get_projections(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Returns projections of rows or columns onto the factors, float32 [embedding_dimension].

        Args:
          input_fn: returns the features.
        """
        return (result[self.PROJECTION_RESULT] for result in self.predict(input_fn=input_fn))


_KEYS = WALSMatrixFactorization


def _model_fn(features: Any, labels: Any, mode: str, params: dict) -> ModelFnOps:
    assert labels is None
    is_trained = mode == ModeKeys.TRAIN
    model = WALSModel(
        params["num_rows"],
        params["num_cols"],
        params["embedding_dimension"],
        unobserved_weight=params["unobserved_weight"],
        regularization=params["regularization_coeff"],
        row_init=params["row_init"],
        col_init=params["col_init"],
        num_row_shards=params["num_row_shards"],
        num_col_shards=params["num_col_shards"],
        row_weights=params["row_weights"],
        col_weights=params["col_weights"],
        use_factors_weights_cache=params["use_factors_weights_cache_for_training"] and is_trained,
        use_gramian_cache=params["use_gramian_cache_for_training"] and is_trained,
    )
    rows, columns = features[_KEYS.INPUT_ROWS], features[_KEYS.INPUT_COLS]
    if is_trained:
        return _training_step(model, rows, columns, params)
    is_row = features[_KEYS.PROJECT_ROW]
    predictions, loss = {}, None
    if mode == ModeKeys.INFER:
        weights = features.get(_KEYS.PROJECTION_WEIGHTS)
        predictions[_KEYS.PROJECTION_RESULT] = ops.cond(
            is_row,
            lambda: model.project_row_factors(rows, False, weights),
            lambda: model.project_col_factors(columns, True, weights),
        )
    else:

        def evaluate_loss(update: Callable, sp_input: Any, is_turned: bool) -> Any:
            _, _, squared_loss, regularization, _ = update(sp_input, is_turned)
            return squared_loss + regularization

        loss = ops.cond(
            is_row,
            lambda: evaluate_loss(model.update_row_factors, rows, False),
            lambda: evaluate_loss(model.update_col_factors, columns, True),
        )
    return ModelFnOps(
        mode=mode,
        predictions=predictions,
        loss=loss,
        eval_metric_ops={},
        train_op=ops.no_op(),
        training_hooks=[],
    )


def _variable(value: Any, name: str) -> Variable:
    return Variable(value, trainable=False, name=name, collections=[GraphKeys.GLOBAL_VARIABLES])


def _training_step(model: WALSModel, rows: Any, columns: Any, params: dict) -> ModelFnOps:
    is_row_sweep = _variable(True, "is_row_sweep")
    is_done = _variable(False, "is_sweep_done")
    sweeps = _variable(0, _KEYS.COMPLETED_SWEEPS)
    loss, error = _variable(0.0, _KEYS.LOSS), _variable(0.0, _KEYS.RWSE)
    scalar("loss", loss)
    scalar("root_weighted_squared_error", error)
    scalar("completed_sweeps", sweeps)

    def axis_ops(sp_input: Any, count: int, update: Callable, is_turned: bool, name: str) -> tuple:
        """Returns two operations for one axis: one resets the sweep, the other runs a step."""
        none = ops.fill(dims=[count], value=False)
        with colocate_with(none):
            processed = _variable(none, "processed_" + name)
        _, updated, squared_loss, regularization, weights = update(sp_input, is_turned)
        indices = sp_input.indices[:, 0]
        total = ops.assign(loss, squared_loss + regularization)
        reported_error = ops.assign(error, ops.sqrt(squared_loss / weights))
        with control_dependencies([updated, total, reported_error]):
            with colocate_with(processed):
                update_marks = ops.scatter_update(
                    processed,
                    indices,
                    ops.ones_like(indices, dtype=dtypes.bool),
                    name=f"update_processed_{name}_indices",
                )
            with control_dependencies([update_marks]):
                all_done = ops.reduce_all(processed)
                step = ops.group(
                    ops.assign(is_done, all_done),
                    ops.assign_add(sweeps, ops.cast(all_done, dtypes.int32)),
                    name=f"{name}_sweep_train_op",
                )
        return processed.initializer, step

    reset_rows, row_step = axis_ops(
        rows, params["num_rows"], model.update_row_factors, False, "rows"
    )
    reset_columns, column_step = axis_ops(
        columns, params["num_cols"], model.update_col_factors, True, "cols"
    )
    turn = ops.group(
        ops.assign(is_row_sweep, ops.logical_not(is_row_sweep)),
        reset_rows,
        reset_columns,
        name="sweep_switch_op",
    )
    hooks: list = [
        SweepHook(
            is_row_sweep,
            is_done,
            model.worker_init,
            [model.row_update_prep_gramian_op, model.initialize_row_update_op],
            [model.col_update_prep_gramian_op, model.initialize_col_update_op],
            row_step,
            column_step,
            turn,
        ),
        CountStep(),
    ]
    if params["max_sweeps"] is not None:
        hooks.append(StopAfterSweeps(params["max_sweeps"], _KEYS.COMPLETED_SWEEPS))
    return ModelFnOps(
        mode=ModeKeys.TRAIN,
        predictions={},
        loss=loss,
        eval_metric_ops={},
        train_op=ops.no_op(),
        training_hooks=hooks,
    )
