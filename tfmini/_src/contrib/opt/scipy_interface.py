"""SciPy optimizers, which run outside the graph and evaluate the loss and its gradients in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import logs
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.collections import trainable_variables


def _shape_tuple(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.shape.as_list())


def _gradients(tensor: Any, variables: list) -> list:
    grads = gradients(tensor, variables)
    return [ops.zeros_like(var) if grad is None else grad for var, grad in zip(variables, grads)]


def _pack(tensors: Sequence[Any]) -> Any:
    """Flattens and concatenates all tensors."""
    if not tensors:
        return None
    flat = [ops.reshape(tensor, [-1]) for tensor in tensors]
    return flat[0] if len(flat) == 1 else ops.concat(flat, 0)


class ExternalOptimizerInterface:
    """Interface of optimizers outside the graph; subclasses implement `_minimize`.

    Args:
      loss: a scalar tensor.
      var_list: the variables to optimize, by default all trainable ones.
      equalities: tensors constrained to 0.
      inequalities: tensors constrained to be nonnegative.
      var_to_bounds: a dict from variables to (lower, upper) bounds, numbers or arrays that broadcast to them.
      optimizer_kwargs: additional arguments of the optimizer.
    """

    def __init__(
        self,
        loss: TensorLike,
        var_list: Sequence[Any] | Mapping[str, Any] | None = None,
        equalities: Iterable[Any] | None = None,
        inequalities: Iterable[Any] | None = None,
        var_to_bounds: Any = None,
        **optimizer_kwargs: Any,
    ):
        self._loss = loss
        self._equalities = equalities or []
        self._inequalities = inequalities or []
        self._vars = trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [ops.placeholder(var.dtype) for var in self._vars]
        self._var_updates = [
            var.assign(ops.reshape(placeholder, _shape_tuple(var)))
            for var, placeholder in zip(self._vars, self._update_placeholders)
        ]
        loss_grads = _gradients(loss, self._vars)
        equality_grads = [_gradients(e, self._vars) for e in self._equalities]
        inequality_grads = [_gradients(i, self._vars) for i in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = _pack(self._vars)
        self._packed_loss_grad = _pack(loss_grads)
        self._packed_equality_grads = [_pack(grads) for grads in equality_grads]
        self._packed_inequality_grads = [_pack(grads) for grads in inequality_grads]
        end_offsets = accumulate((math.prod(_shape_tuple(var)) for var in self._vars), initial=0)
        self._packing_slices = [slice(*both) for both in pairwise(end_offsets)]

    def _bounds(self, var_to_bounds: dict) -> list[tuple]:
        min_steper: list[float] = []
        upper: list[float] = []
        for var in self._vars:
            bounds = var_to_bounds.get(var, (-np.inf, np.inf))
            min_steper.extend(np.broadcast_to(bounds[0], _shape_tuple(var)).flat)
            upper.extend(np.broadcast_to(bounds[1], _shape_tuple(var)).flat)
        return list(zip(min_steper, upper))

    def minimize(
        self,
        session: Any = None,
        feed_dict: dict[Any, Any] | None = None,
        fetches: list[Any] | None = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Minimizes the loss and stores the solution in the variables.

        Args:
          session: a session with initialized variables, by default the default session.
          feed_dict: feeds of each run.
          fetches: a list of tensors passed to `loss_callback`.
          step_callback: called after each step with the flat vector of all variables.
          loss_callback: called at each evaluation of the loss with the values of `fetches`.
          run_kwargs: other arguments of `session.run`, for the final assignment.
        """
        session = session or get_default_session()
        feed = feed_dict or {}
        fetches = fetches or []
        loss_callback = loss_callback or (lambda *values: None)

        def function(tensors: Any, callback: Callable | None = None) -> Callable:
            return self._function(tensors, session, feed, fetches, callback)

        solution = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=function([self._loss, self._packed_loss_grad], loss_callback),
            equality_funcs=[function(t) for t in self._equalities],
            equality_grad_funcs=[function(t) for t in self._packed_equality_grads],
            inequality_funcs=[function(t) for t in self._inequalities],
            inequality_grad_funcs=[function(t) for t in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda xk: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [solution[part] for part in self._packing_slices]
        feed = dict(zip(self._update_placeholders, values))
        session.run(self._var_updates, feed_dict=feed, **run_kwargs)

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: Callable,
        equality_funcs: list,
        equality_grad_funcs: list,
        inequality_funcs: list,
        inequality_grad_funcs: list,
        packed_bounds: Any,
        step_callback: Callable,
        optimizer_kwargs: dict,
    ) -> Any:
        """Minimizes from the initial flat vector of all variables; returns the solution in the same form."""
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method."
        )

    def _function(
        self, tensors: Any, session: Any, feed: dict, fetches: list, callback: Callable | None
    ) -> Callable:
        """Returns a function from the flat vector of all variables to the values of tensors."""
        tensors = tensors if isinstance(tensors, list) else [tensors]

        def evaluate(x: Any) -> list:
            arguments = {
                var: x[part].reshape(_shape_tuple(var))
                for var, part in zip(self._vars, self._packing_slices)
            }
            values = session.run(tensors + fetches, feed_dict={**arguments, **feed})
            if callback is not None:
                callback(*values[len(tensors) :])
            return values[: len(tensors)]

        return evaluate


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes a loss with `scipy.optimize.minimize`, by default with L-BFGS-B.

    Takes the arguments of `ExternalOptimizerInterface`, and `method` and `options` of SciPy; constraints require the
    method "SLSQP".

    Example:
      optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, options={"maxiter": 100})
      with tf.Session() as session:
          session.run(tf.global_variables_initializer())
          optimizer.minimize(session)
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: Callable,
        equality_funcs: list,
        equality_grad_funcs: list,
        inequality_funcs: list,
        inequality_grad_funcs: list,
        packed_bounds: Any,
        step_callback: Callable,
        optimizer_kwargs: dict,
    ) -> Any:
        def loss_and_gradient(x: Any) -> tuple:
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")

        def alone(function: Callable) -> Callable:
            return lambda x: np.asarray(function(x)[0], np.float64)

        options = dict(optimizer_kwargs)
        method = options.pop("method", self._DEFAULT_METHOD)
        constraints = [
            {"type": constraint_type, "fun": alone(function), "jac": alone(gradient)}
            for constraint_type, functions, gradients_of in (
                ("eq", equality_funcs, equality_grad_funcs),
                ("ineq", inequality_funcs, inequality_grad_funcs),
            )
            for function, gradient in zip(functions, gradients_of)
        ]
        arguments = {
            "jac": True,
            "callback": step_callback,
            "method": method,
            "constraints": constraints,
            "bounds": packed_bounds,
        }
        for name in arguments:
            if name == "bounds" and name in options:
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            if name in options:
                raise ValueError(
                    f"Optimizer keyword arg '{name}' is set automatically and cannot be injected manually"
                )
        start = np.asarray(initial_val, np.float64)  # some SciPy methods do not convert it
        result = scipy.optimize.minimize(loss_and_gradient, start, **arguments, **options)
        lines = [
            "Optimization terminated with:",
            f"  Message: {result.message}",
            f"  Objective function value: {result.fun:f}",
        ]
        if hasattr(result, "nit"):
            lines.append(f"  Number of iterations: {result.nit}")
        if hasattr(result, "nfev"):
            lines.append(f"  Number of functions evaluations: {result.nfev}")
        logs.info("\n".join(lines))
        return result["x"]
