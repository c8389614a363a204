"""Pruning settings and their validation."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.training.hparams import HParams


def get_pruning_hparams() -> Any:
    """Returns the default settings of `Pruning`.

    Returns:
      An HParams: `name` (of scopes), `begin_pruning_step`, `end_pruning_step` (-1 for never), `weight_sparsity_map`
      and `block_dims_map` (strings "name:0.5" and "name:4x4" for individual weights), `threshold_decay`,
      `pruning_frequency` (in steps), `nbins` (unused), `block_height`, `block_width`,
      `block_pooling_function` ("AVG" or "MAX"), `initial_sparsity`, `target_sparsity`, `sparsity_function_begin_step`,
      `sparsity_function_end_step`, `sparsity_function_exponent` and `use_tpu`.

    Example:
      settings = tf.contrib.model_pruning.get_pruning_hparams().parse("target_sparsity=0.9")
    """
    return HParams(
        name="model_pruning",
        begin_pruning_step=0,
        end_pruning_step=-1,
        weight_sparsity_map=[""],
        block_dims_map=[""],
        threshold_decay=0.0,
        pruning_frequency=10,
        nbins=256,
        block_height=1,
        block_width=1,
        block_pooling_function="AVG",
        initial_sparsity=0.0,
        target_sparsity=0.5,
        sparsity_function_begin_step=0,
        sparsity_function_end_step=100,
        sparsity_function_exponent=3.0,
        use_tpu=False,
    )


def check(spec: Any) -> None:
    """Raises ValueError if steps are out of order or fractions are invalid."""
    if spec.begin_pruning_step < 0:
        raise ValueError("Illegal value for begin_pruning_step")
    if spec.begin_pruning_step >= spec.end_pruning_step != -1:
        raise ValueError(
            f"Pruning must begin before it can end. begin_step={spec.begin_pruning_step}, "
            f"end_step={spec.end_pruning_step}.Set end_pruning_step to -1 if pruning is required "
            "till trainingstops"
        )
    if spec.sparsity_function_begin_step < 0:
        raise ValueError("Illegal value for sparsity_function_begin_step")
    if spec.sparsity_function_begin_step >= spec.sparsity_function_end_step:
        raise ValueError("Sparsity function requires begin_step < end_step")
    for name in ("threshold_decay", "initial_sparsity", "target_sparsity"):
        if not 0.0 <= getattr(spec, name) < 1.0:
            raise ValueError(f"{name} must be in range [0,1)")
