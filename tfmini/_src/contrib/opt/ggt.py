"""GGT: steps preconditioned by the last few moments of all gradients jointly.

N. Agarwal et al., "The case for full-matrix adaptive regularization", arXiv:1806.02958.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer, assert_some_gradient
from tfmini._src.train.optimizers.train_op_collection import add_train_op
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable_creator import create
from tfmini._src.variables.variable_identity import node_name, variable_graph


class GGTOptimizer(Optimizer):
    """Subtracts learning_rate * ((M M^T) ** (-1/2) m), computed by decomposing M^T M, which is [window, window].

    m is the moving mean of all gradients, concatenated in the order of variable names. The columns of M are the last
    `window` of these vectors, divided by the square root of their number. With the singular values s and vectors u of
    M^T M + svd_eps:

        step = M u (sqrt(s) + sigma_eps) ** -3 u^T M^T m
        step += (m - M u (1 / s) u^T M^T m) / min(sqrt(s))    where that minimum is above eps

    Args:
      learning_rate: a float, or a function that returns it (likewise the settings below).
      beta1: decay rate of the mean.
      use_locking: accepted for compatibility; updates are never locked.
      name: the name of the train op.
      window: number of stored means.
      eps: minimum singular value for keeping the component outside the window's space.
      svd_eps: added to the diagonal before the decomposition.
      sigma_eps: added to the singular values' square roots before inversion.

    Gradients must be dense: IndexedSlices raise `NotImplementedError`.

    Example: `tf.contrib.opt.GGTOptimizer(0.1, window=20).minimize(loss)`.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        use_locking: bool = False,
        name: str = "GGT",
        window: int = 10,
        eps: TensorLike = 1e-4,
        svd_eps: TensorLike = 1e-6,
        sigma_eps: TensorLike = 1e-2,
    ):
        super().__init__(use_locking, name)
        self._settings = {
            "beta1": beta1,
            "eps": eps,
            "lr": learning_rate,
            "sigma_eps": sigma_eps,
            "svd_eps": svd_eps,
            "window": window,
        }
        self._constants_by_graph: dict[Any, dict[str, dict[Any, Tensor]]] = {}
        self._current_values: dict[str, dict[Any, Tensor]] = {}
        self._slices: dict[str, slice] = {}

    def minimize(  # type: ignore[override]
        self,
        loss: TensorLike,
        global_step: TensorLike | None = None,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        name: str | None = None,
        grad_loss: TensorLike | None = None,
        stop_gradients: Sequence[Any] | None = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> Any:
        """Calls `compute_gradients`, then `apply_gradients`; takes the arguments of both.

        Raises:
          ValueError: if no variable has a gradient.
        """
        pairs = self.compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            grad_loss,
            stop_gradients,
            scale_loss_by_num_replicas,
        )
        assert_some_gradient(pairs, loss)
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(  # type: ignore[override]
        self,
        loss: TensorLike,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        grad_loss: Any = None,
        stop_gradients: Sequence[Any] | None = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> list[tuple[Any, Any]]:
        """Computes a list of (gradient or None, variable) pairs.

        Takes the arguments of `Optimizer.compute_gradients`, and:
          stop_gradients: tensors that block gradients.
          scale_loss_by_num_replicas: whether to divide the loss by the number of replicas, which is 1 here.
        """
        return self._gradients(
            loss, var_list, gate_gradients, aggregation_method, False, grad_loss, stop_gradients
        )

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Updates all variables jointly; returns the train op.

        Raises:
          ValueError: if no variable has a gradient.
        """
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        values = [(grad, var) for grad, var in pairs if grad is not None]
        if not values:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        variables = [var for _, var in values]
        with name_scope(name, self._name) as scope:
            self._current_values = self._setting_tensors()
        with init_scope():
            self._create_slots(variables)
        with name_scope(scope):
            updates = []
            for grad, var in values:
                with name_scope("update_" + node_name(var)):
                    updates.append(self._update(grad, var))
            waited = ops.group(*updates)
            with control_dependencies([waited]):
                finished = self._step(variables)
            if global_step is None:
                train_op = ops.group(finished, name=scope)
            else:
                with control_dependencies([finished]):
                    train_op = global_step.assign_add(1, read_value=False, name=scope)
        return add_train_op(train_op)

    def _setting_tensors(self) -> dict[str, dict[Any, Tensor]]:
        """Returns the settings as tensors, by dtype: numbers once in a graph, functions at each call."""
        graph = get_default_graph()
        if graph not in self._constants_by_graph:
            constants = {n: v for n, v in self._settings.items() if not callable(v)}
            with init_scope():
                self._constants_by_graph[graph] = _hyperparameter_tensors(constants)
        functions = {n: v() for n, v in self._settings.items() if callable(v)}
        return {**self._constants_by_graph[graph], **_hyperparameter_tensors(functions)}

    def _setting(self, name: str, dtype: Any = None) -> Tensor:
        result = self._current_values[name]
        if dtype not in result:
            result[dtype] = ops.cast(result[None], dtype)
        return result[dtype]

    def _create_slots(self, var_list: Any) -> None:
        """Creates the optimizer's own variables, on the device of the first variable by name."""
        offset = 0
        for name, var in sorted((var.name, var) for var in var_list):
            size = int(np.prod(var.get_shape().as_list(), dtype=int))
            self._slices[name] = slice(offset, offset + size)
            offset += size
        first = min(var_list, key=lambda var: var.name)
        dtype = var_list[0].dtype.base_dtype
        self._create_variable("global_step", lambda: ops.cast(0.0, dtype=dtype), first)
        self._create_variable(
            "grad_buffer", lambda: ops.zeros([self._setting("window"), offset], dtype=dtype), first
        )
        self._create_variable("moment1", lambda: ops.zeros((offset,), dtype=dtype), first)
        self._create_variable("flat_grad", lambda: ops.zeros((offset,), dtype=dtype), first)

    def _create_variable(self, name: str, initial_value: Any, reference_variable: Any) -> None:
        start = initial_value()
        key = (name, variable_graph(reference_variable))
        if key not in self._non_slot_dict:
            with colocate_with(reference_variable):
                self._non_slot_dict[key] = create(start, name=name, trainable=False)

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        part = self._slices[var.name]
        flat = self._get_non_slot_variable("flat_grad", variable_graph(var))
        values = ops.reshape(grad, [-1])
        return ops.scatter_update(flat, ops.range(part.start, part.stop), values)

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        return self._apply_dense(grad, handle)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _step(self, variables: list) -> Any:
        """Returns the operation that updates the variables once the gradient vector is complete."""
        dtype = variables[0].dtype.base_dtype
        step, buffer, moment, flat = (
            self._get_non_slot_variable(name, variable_graph(variables[0]))
            for name in ("global_step", "grad_buffer", "moment1", "flat_grad")
        )
        step = ops.assign_add(step, 1.0)
        beta1 = self._setting("beta1", dtype)
        mean = moment.assign(beta1 * moment + (1.0 - beta1) * flat)
        window = self._setting("window")
        position = ops.floormod(ops.cast(step - 1.0, dtypes.int32), window)
        new_buffer = ops.scatter_update(buffer, position, mean)
        settings = {n: self._setting(n, dtype) for n in ("eps", "svd_eps", "sigma_eps", "lr")}
        count = ops.minimum(convert_to_tensor(step), ops.cast(window, dtype=dtype))
        root = ops.sqrt(count)
        mean = ops.expand_dims(mean, -1)
        columns = ops.transpose(ops.divide(new_buffer, root))
        move = _preconditioned_step(columns, mean, window, settings)
        moved_values = []
        for var in variables:
            part = ops.reshape(move[self._slices[var.name]], var.get_shape())
            moved_values.append(ops.assign_sub(var, settings["lr"] * part))
        return ops.group(*moved_values)


def _hyperparameter_tensors(constants: dict[str, Any]) -> dict[str, dict[Any, Tensor]]:
    return {name: {None: convert_to_tensor(value, name=name)} for name, value in constants.items()}


def _preconditioned_step(
    columns: Tensor, mean: Tensor, window: Tensor, settings: dict[str, Tensor]
) -> Tensor:
    """Returns the step for all variables, [size, 1], from the window's means, [size, window], and the newest mean."""
    dtype = mean.dtype
    squares = ops.matmul(columns, columns, transpose_a=True)
    damping = ops.cast(ops.eye(window), dtype=dtype) * settings["svd_eps"]
    values, vectors, _ = ops.svd(squares + damping)
    roots = ops.sqrt(values)
    min_root = ops.reduce_min(roots)

    def weight_in_window_space(weights: Tensor) -> Tensor:
        """Projects the newest mean to the window's space and weights its singular directions."""
        diagonal = ops.diag(weights)
        projection = ops.matmul(columns, mean, transpose_a=True)
        projection = ops.matmul(diagonal, ops.matmul(vectors, projection, transpose_a=True))
        return ops.matmul(columns, ops.matmul(vectors, projection))

    one = ops.cast(1.0, dtype=dtype)
    inverse = ops.divide(one, ops.pow(roots + settings["sigma_eps"], 3))
    zero_column = ops.expand_dims(ops.zeros([int(mean.shape[0])], dtype=dtype), -1)
    inner_term = weight_in_window_space(inverse)
    inverse = ops.divide(ops.cast(1.0, dtype=dtype), values)
    outer_term = ops.divide(mean - weight_in_window_space(inverse), min_root)
    return ops.cond(
        min_root > settings["eps"],
        lambda: ops.add(inner_term, outer_term),
        lambda: ops.add(zero_column, inner_term),
    )
