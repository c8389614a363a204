"""Shampoo: gradients preconditioned separately along each dimension of a variable.

V. Gupta, T. Koren and Y. Singer, "Shampoo: preconditioned stochastic tensor optimization", ICML 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.opt.matrix_square_root import matrix_inverse_pth_root, matrix_square_root
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer


def _value_at(setting: Any, step: Any) -> Any:
    """Returns the value at a step of a setting, which may be a function of the step."""
    return setting(step) if callable(setting) else setting


class ShampooOptimizer(Optimizer):
    """Subtracts learning_rate * g, contracted along each dimension i with Gbar_i ** (-alpha / rank).

    Gbar_i is the weighted sum of g contracted with itself along all dimensions but i, and g is the weighted sum of
    gradients. Settings may be functions of the step where noted.

    Args:
      global_step: a scalar integer tensor or variable.
      max_matrix_size: maximum dimension for a full Gbar; beyond it, only the diagonal is stored.
      gbar_decay, gbar_weight: g = decay * g + weight * gradient; numbers, or functions.
      mat_gbar_decay, mat_gbar_weight: likewise for Gbar.
      learning_rate: a number, or a function.
      svd_interval: number of steps between roots of Gbar, or a function.
      precond_update_interval: number of steps between updates of Gbar, or a function.
      epsilon: added to the diagonal of Gbar.
      alpha: the power, a number or a function.
      use_iterative_root: whether to compute roots iteratively instead of by decomposition.
      use_locking: whether to lock variables during updates.
      name: name of the train op and the slots.
    """

    def __init__(
        self,
        global_step: TensorLike = 0,
        max_matrix_size: int = 768,
        gbar_decay: TensorLike = 0.0,
        gbar_weight: TensorLike = 1.0,
        mat_gbar_decay: TensorLike = 1.0,
        mat_gbar_weight: TensorLike = 1.0,
        learning_rate: TensorLike = 1.0,
        svd_interval: int = 1,
        precond_update_interval: int = 1,
        epsilon: float = 1e-4,
        alpha: TensorLike = 0.5,
        use_iterative_root: bool = False,
        use_locking: bool = False,
        name: str = "Shampoo",
    ):
        super().__init__(use_locking, name)
        self._global_step = ops.cast(global_step, dtypes.float32)
        self._max_matrix_size = max_matrix_size
        self._gbar_decay = gbar_decay
        self._gbar_weight = gbar_weight
        self._mat_gbar_decay = mat_gbar_decay
        self._mat_gbar_weight = mat_gbar_weight
        self._learning_rate = learning_rate
        self._svd_interval = svd_interval
        self._precond_update_interval = precond_update_interval
        self._epsilon = epsilon
        self._alpha = alpha
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                self._zeros_slot(var, "gbar", self._name)
                for axis, size in enumerate(np.array(var.get_shape())):
                    count = convert_to_tensor(size)
                    if size <= self._max_matrix_size:
                        start = ops.zeros_like(ops.eye(count))
                        if self._svd_interval > 1:
                            eye = ops.eye(count)
                            self._get_or_make_slot(var, eye, f"H_{axis}", self._name)
                    else:
                        start = ops.zeros([count])
                    self._get_or_make_slot(var, start, f"Gbar_{axis}", self._name)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply_gradient(grad, var)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply_gradient(grad, handle)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._apply_rows(grad.values, grad.indices, var)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._apply_rows(grad, indices, handle)

    def _apply_rows(self, grad: Any, indices: Any, var: Any) -> Any:
        """Applies a sparse gradient, densified if it is small or all rows of g decay."""
        if var.get_shape()[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            points = ops.expand_dims(indices, axis=1)
            shape = ops.shape(var, out_type=indices.dtype)
            return self._apply_gradient(ops.scatter_nd(points, grad, shape), var)
        return self._apply_gradient(grad, var, indices)

    def _weighted_average(self, var: Any, weight: Any, weight_now: Any, addend: Any) -> Any:
        """Assigns var = weight * var + addend."""
        if weight == 0.0:
            return addend
        if weight == 1.0:
            return ops.assign_add(var, addend)
        return var.assign_add((weight_now - 1) * var + addend)

    def _root(self, var: Any, matrix: Any, size: Any, alpha: Any, slot: str | None = None) -> Any:
        """Returns a matrix to the power alpha, cached in a named slot if requested."""
        with name_scope("matrix_iterative_power"):
            if self._use_iterative_root:
                half = matrix_square_root(matrix, size, 100, self._epsilon)
                root = matrix_inverse_pth_root(half, size, 2 * alpha, 100, 1e-6, ridge_epsilon=0.0)
            elif size == 1:
                root = ops.pow(matrix + self._epsilon, alpha)
            else:
                damping = self._epsilon * ops.eye(ops.cast(size, dtypes.int32))
                values, u, v = ops.svd(matrix + damping, full_matrices=True)
                scaled = v * ops.pow(ops.maximum(values, self._epsilon), alpha)
                root = ops.matmul(scaled, ops.transpose(u))
            return root if slot is None else ops.assign(self.get_slot(var, slot), root)

    def _apply_gradient(self, grad: Any, var: Any, indices: Any = None) -> Any:
        step = self._global_step + 1
        gbar = self.get_slot(var, "gbar")
        decay, weight = _value_at(self._gbar_decay, step), _value_at(self._gbar_weight, step)
        if indices is not None:
            summed = grad  # without momentum, as `_apply_rows` ensures
        else:
            summed = self._weighted_average(gbar, self._gbar_decay, decay, weight * grad)
        sizes = var.get_shape()
        rank = len(sizes)
        matrices = [self.get_slot(var, f"Gbar_{axis}") for axis in range(rank)]
        decay, weight = (
            _value_at(self._mat_gbar_decay, step),
            _value_at(self._mat_gbar_weight, step),
        )
        alpha = -_value_at(self._alpha, step) / rank
        intervals = (
            _value_at(self._svd_interval, step),
            _value_at(self._precond_update_interval, step),
        )
        for axis, matrix in enumerate(matrices):
            shared_args = (var, axis, matrix, grad, alpha, decay, weight)
            if sizes[axis] <= self._max_matrix_size:
                root = self._update_root(*shared_args, step, intervals)
                summed = ops.tensordot(summed, root, axes=([0], [0]), name=f"precond_{axis}")
            else:
                root = self._diagonal_root(*shared_args, indices)
                summed = ops.transpose(summed, perm=[*range(1, rank), 0]) * root
        rate = _value_at(self._learning_rate, step)
        if indices is not None:
            return ops.scatter_add(var, indices, -rate * summed)
        return ops.assign_sub(var, rate * summed)

    def _update_root(
        self,
        var: Any,
        axis: int,
        matrix: Any,
        grad: Any,
        alpha: Any,
        decay: Any,
        weight: Any,
        step: Any,
        intervals: tuple,
    ) -> Tensor:
        """Returns the power of Gbar along an axis, after adding this step's gradient."""
        size = var.get_shape()[axis]
        axes = [n for n in range(len(var.get_shape())) if n != axis]
        root_interval, interval = intervals

        def update_matrix() -> Any:
            share = weight * interval
            outer = ops.tensordot(grad, grad, axes=(axes, axes), name=f"grad_outer_{axis}")
            return self._weighted_average(matrix, self._mat_gbar_decay, decay, share * outer)

        scaled = ops.cond(ops.mod(step, interval) < 1, update_matrix, lambda: matrix)
        scaled = scaled / float(dimension_value(size))
        if self._svd_interval == 1:
            return self._root(var, scaled, size, alpha)
        slot = f"H_{axis}"
        return ops.cond(
            ops.mod(step, root_interval) < 1,
            lambda: self._root(var, scaled, size, alpha, slot),
            lambda: self.get_slot(var, slot),
        )

    def _diagonal_root(
        self,
        var: Any,
        axis: int,
        diagonal: Any,
        grad: Any,
        alpha: Any,
        decay: Any,
        weight: Any,
        indices: Any,
    ) -> Tensor:
        """Returns the power of Gbar's diagonal along an axis; 0 for zeros."""
        sizes = var.get_shape()
        axes = [n for n in range(len(sizes)) if n != axis]
        if axes:
            count = 1.0 if indices is not None else float(dimension_value(sizes[axis]))
            outer = ops.reduce_sum(grad * grad, axis=axes) / count
        else:
            outer = grad * grad
        if axis == 0 and indices is not None:
            if self._mat_gbar_decay != 1.0:
                raise AssertionError("mat_gbar_decay must be 1 for sparse gradients")
            gathered = ops.gather(ops.scatter_add(diagonal, indices, weight * outer), indices)
        else:
            gathered = self._weighted_average(diagonal, self._mat_gbar_decay, decay, weight * outer)
        return ops.where(
            ops.greater(gathered, 0), ops.pow(gathered, alpha), ops.zeros_like(gathered)
        )
