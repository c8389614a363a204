"""Mask updates that mask a growing fraction of the smallest weights (Zhu and Gupta, arXiv 1710.01878)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.model_pruning import pruning_hparams
from tfmini._src.contrib.model_pruning.blocks import expand_blocks, pool_blocks
from tfmini._src.contrib.model_pruning.masks import get_masks, get_thresholds, get_weights
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.global_step import get_global_step
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable_scope import variable_scope


class Pruning:
    """Masks the smallest weights of masked layers during training.

    Args:
      spec: settings as returned by `get_pruning_hparams`; None for the defaults.
      global_step: step, a tensor; by default the global step.
      sparsity: current fraction of masked weights, a tensor; by default growing from `initial_sparsity` to
        `target_sparsity` by a power of the step.

    Raises:
      ValueError: if settings are out of range.

    Example:
      pruning = tf.contrib.model_pruning.Pruning(settings)
      with tf.control_dependencies([train]):
          step = pruning.conditional_mask_update_op()
    """

    def __init__(
        self, spec: Any = None, global_step: TensorLike | None = None, sparsity: Any = None
    ):
        self._spec = spec if spec else pruning_hparams.get_pruning_hparams()
        pruning_hparams.check(self._spec)
        step = get_global_step() if global_step is None else global_step
        self._global_step = ops.cast(step, dtypes.int32)
        self._sparsity = self._growing_sparsity() if sparsity is None else sparsity
        self._assign_ops: list[Any] = []
        self._last_update_step = self._last_step()
        self._block_dims = [self._spec.block_height, self._spec.block_width]
        self._block_dims_map = {
            re.compile(name): _parse_block_size(name, text)
            for name, text in _parse_settings(self._spec.block_dims_map)
        }
        self._weight_sparsity_map = {
            re.compile(name): _share(text)
            for name, text in _parse_settings(self._spec.weight_sparsity_map)
        }

    def _growing_sparsity(self) -> Tensor:
        spec = self._spec
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        with name_scope(spec.name):
            steps = ops.cast(self._global_step - begin, dtypes.float32)
            p = ops.minimum(1.0, ops.maximum(0.0, ops.div(steps, end - begin)))
            remaining = ops.pow(1 - p, spec.sparsity_function_exponent)
            missing = ops.multiply(spec.initial_sparsity - spec.target_sparsity, remaining)
            return ops.add(missing, spec.target_sparsity, name="sparsity")

    def _last_step(self) -> Any:
        name = "last_mask_update_step"
        with variable_scope(self._spec.name, use_resource=self._spec.use_tpu) as scope:
            try:
                return get_variable(
                    name, [], initializer=Zeros(), trainable=False, dtype=dtypes.int32
                )
            except ValueError:
                scope.reuse_variables()
                return get_variable(name, dtype=dtypes.int32)

    def _weight_setting(self, name: str, by_name: dict, setting_name: str, default: Any) -> Any:
        """Returns the setting for a weight by its name, else `default`."""
        matches = [value for pattern, value in by_name.items() if pattern.search(name)]
        if len(matches) > 1:
            raise ValueError(f"Multiple matches in {setting_name} for weight {name}")
        return matches[0] if matches else default

    def _layer_sparsity(self, name: str) -> Tensor:
        target = self._weight_setting(name, self._weight_sparsity_map, "weight_sparsity_map", None)
        if target is None:
            return self._sparsity
        return ops.multiply(self._sparsity, ops.div(target, self._spec.target_sparsity))

    def _new_mask(self, weights: Any, threshold: Any) -> tuple[Tensor, Tensor]:
        """Returns a (threshold, mask) pair that keeps a fraction of the largest weights."""
        sparsity = self._layer_sparsity(weights.op.name)
        with name_scope(weights.op.name + "_pruning_ops"):
            sizes = ops.abs(weights)
            count = ops.cast(ops.size(sizes), dtypes.float32)
            kept_count = ops.cast(ops.round(count * (1 - sparsity)), dtypes.int32)
            descending, _ = ops.top_k(ops.reshape(sizes, [-1]), k=ops.size(sizes))
            current = ops.gather(descending, kept_count - 1)
            decay = self._spec.threshold_decay
            smooth = ops.add_n([ops.multiply(current, 1 - decay), ops.multiply(threshold, decay)])
            return smooth, ops.cast(ops.greater_equal(sizes, smooth), dtypes.float32)

    def _new_block_mask(self, weights: Any, threshold: Any) -> tuple[Tensor, Tensor]:
        """Returns a (threshold, mask) pair that keeps a fraction of the largest blocks."""
        name = weights.op.name
        block = self._weight_setting(name, self._block_dims_map, "block_dims_map", self._block_dims)
        squeezed = ops.squeeze(weights)
        if squeezed.get_shape().ndims != 2 or block == [1, 1]:
            return self._new_mask(weights, threshold)
        rows, columns = squeezed.get_shape()
        for axis, size in enumerate((rows, columns)):
            if block[axis] == -1:
                block[axis] = size  # affects all later weights, as in TensorFlow
        if self._spec.block_pooling_function not in ("AVG", "MAX"):
            raise ValueError(
                f"Unknown pooling function for block sparsity: {self._spec.block_pooling_function}"
            )
        with name_scope(name + "_pruning_ops"):
            function = self._spec.block_pooling_function
            smaller = pool_blocks(
                ops.abs(squeezed), block, function, name + "_pooled", self._spec.use_tpu
            )
            smooth, mask = self._new_mask(smaller, threshold)
            mask = ops.slice(expand_blocks(mask, block), [0, 0], [rows, columns])
        return smooth, ops.reshape(mask, ops.shape(weights))

    def _make_assign_ops(self) -> None:
        masks, weights, thresholds = get_masks(), get_weights(), get_thresholds()
        if len(masks) != len(thresholds):
            raise ValueError(
                f"Number of masks {len(masks)} and number of thresholds {len(thresholds)} mismatch"
            )
        for mask, weight, threshold in zip(masks, weights, thresholds):
            full_weight = weight.as_tensor() if isinstance(weight, PartitionedVariable) else weight
            new_threshold, new_mask = self._new_block_mask(full_weight, threshold)
            self._assign_ops.append(_assign(threshold, new_threshold))
            if isinstance(weight, PartitionedVariable):
                self._assign_ops.append(_assign_parts(mask, new_mask))
            else:
                self._assign_ops.append(_assign(mask, new_mask))

    def mask_update_op(self) -> Any:
        """Returns an operation that updates all masks and thresholds."""
        with name_scope(self._spec.name):
            if not self._assign_ops:
                self._make_assign_ops()
            name = "last_mask_update_step_assign"
            step = ops.assign(self._last_update_step, self._global_step, name=name)
            with control_dependencies([step]), control_dependencies(self._assign_ops):
                logs.info("Updating masks.")
                return ops.no_op("mask_update")

    def conditional_mask_update_op(self) -> Any:
        """Returns an op that updates masks every `pruning_frequency` steps from the first to the last pruning step."""
        spec = self._spec
        with name_scope(spec.name):
            started = ops.greater_equal(self._global_step, spec.begin_pruning_step)
            is_due = ops.logical_or(
                ops.less_equal(self._global_step, spec.end_pruning_step),
                ops.less(spec.end_pruning_step, 0),
            )
            within = ops.logical_and(started, is_due)
            next_update_step = ops.add(self._last_update_step, spec.pruning_frequency)
            is_time = ops.logical_and(within, ops.less_equal(next_update_step, self._global_step))
        return ops.cond(is_time, self.mask_update_op, ops.no_op)

    def add_pruning_summaries(self) -> None:
        """Adds summaries of the target sparsity, the thresholds, and the fraction of zeros in masks."""
        with name_scope(self._spec.name + "_summaries"):
            scalar("sparsity", self._sparsity)
            scalar("last_mask_update_step", self._last_update_step)
            for mask, threshold in zip(get_masks(), get_thresholds()):
                scalar(mask.op.name + "/sparsity", ops.zero_fraction(mask))
                scalar(threshold.op.name + "/threshold", threshold)

    def print_hparams(self) -> None:
        """Logs the hyperparameters as JSON."""
        logs.info(self._spec.to_json())


def _parse_settings(texts: list[str]) -> Iterator[tuple[str, str]]:
    """Parses "name:setting" texts into (name pattern, setting) pairs."""
    for text in texts:
        if text:
            name, setting = text.split(":")
            yield name, setting


def _parse_block_size(name: str, text: str) -> list[int]:
    """Returns the height and width in a text like "4x2"."""
    sides = text.split("x")
    if len(sides) != 2:
        raise ValueError(f"Expected 2 values for block dim for {name}, got {sides}")
    return [int(sides[0]), int(sides[1])]


def _share(text: str) -> float:
    if float(text) >= 1.0:
        raise ValueError("Weight sparsity can not exceed 1.0")
    return float(text)


def _assign(variable: Any, value: Any) -> Any:
    return ops.assign(variable, value, name=variable.op.name + "_assign")


def _assign_parts(variable: PartitionedVariable, value: Any) -> Any:
    """Assigns a value to each part of a partitioned variable."""
    parts = list(variable)
    axis = 0 if len(parts) == 1 else _cut_axis(variable)
    sizes = np.array([dimension_value(part.get_shape()[axis]) for part in parts])
    values = ops.split(value, convert_to_tensor(sizes, dtype=dtypes.int32), axis=axis)
    assign_ops = [_assign(part, new) for part, new in zip(parts, values)]
    return ops.group(*assign_ops, name=variable.name + "_group_assign")


def _cut_axis(variable: PartitionedVariable) -> int:
    full_shape = variable.get_shape().as_list()
    axis = 0
    for part in variable:
        smaller = np.less(part.get_shape().as_list(), full_shape)
        if np.count_nonzero(smaller) != 1:
            raise ValueError(
                f"Number of partitioned axes {np.count_nonzero(smaller)} not equal to 1"
            )
        axis = int(np.where(smaller)[0][0])
    return axis
