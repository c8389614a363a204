"""Gradients combined over all processes, at each step or after several passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.base.dtypes import int64
from tfmini._src.distribute.horovod.basics import is_single_process, rank
from tfmini._src.distribute.horovod.collectives import Average, grouped_allreduce, is_sparse
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.store import AUTO_REUSE
from tfmini._src.variables.variable_scope import variable_scope


@dataclass(frozen=True)
class GradientReduction:
    """Settings of the reduction of a step's gradients.

    name: the scope of the operations is "NAME_Allreduce".
    devices: devices of dense and sparse gradients.
    op: `hvd.Average`, `hvd.Sum` or `hvd.Adasum`.
    predivide_factor: part of the divisor applied before the sum instead of after.
    """

    name: str
    devices: tuple[str, str]
    compression: Any
    sparse_as_dense: bool
    op: int
    predivide_factor: float = 1.0

    def __post_init__(self) -> None:
        if self.predivide_factor != 1.0 and self.op != Average:
            raise ValueError("gradient_predivide_factor not supported with op != Average")

    def __call__(self, grads: Sequence[Any]) -> list[Any]:
        """Returns the combined gradients of all processes; None entries are kept."""
        if is_single_process():
            return list(grads)
        results = list(grads)
        with name_scope(f"{self.name}_Allreduce"):
            present = [index for index, grad in enumerate(grads) if grad is not None]
            values = [self.dense(grads[index]) for index in present]
            factor = self.predivide_factor
            reduced = grouped_allreduce(
                values, None, *self.devices, self.compression, self.op, 1 / factor, factor
            )
            for index, grad in zip(present, reduced):
                results[index] = grad
        return results

    def dense(self, grad: Any) -> Any:
        """Converts sparse gradients to Tensors if required."""
        return ops.convert_to_tensor(grad) if self.sparse_as_dense and is_sparse(grad) else grad


class GradientAggregation:
    """Gradients of several passes, accumulated locally before being combined with other processes.

    Args:
      passes: number of passes.
      reduction: combines them.
      averages_gradients: whether to divide by `passes`.
    """

    def __init__(self, passes: int, reduction: GradientReduction, averages_gradients: bool):
        if passes <= 0:
            raise ValueError("backward_passes_per_step must be > 0")
        self._passes = passes
        self._reduction = reduction
        self._averages = averages_gradients
        self._is_last: Any = None
        self._found: list[Any] = []
        self.variables: list[Any] = []

    def compute(self, grads: Sequence[Any]) -> list[Any]:
        """Returns the combined sums of gradients in the last pass, and the unchanged gradients in other passes.

        Raises:
          ValueError: for sparse gradients.
        """
        values = [self._reduction.dense(grad) for grad in grads if grad is not None]
        if any(map(is_sparse, values)):
            raise ValueError(
                "IndexedSlices are not supported when `backward_passes_per_step` > 1 and `sparse_as_dense` is False."
            )
        positions = [index for index, grad in enumerate(grads) if grad is not None]
        sums = self._make_variables(positions, values)
        counter, *_ = self.variables
        count = ops.convert_to_tensor(counter.assign_add(1, use_locking=True))
        self._is_last = ops.equal(count % self._passes, 0)
        is_first = ops.equal(count % self._passes, 1)
        added = ops.cond(
            is_first,
            lambda: [ops.identity(var.assign(grad)) for var, grad in zip(sums, values)],
            lambda: [ops.identity(var.assign_add(grad)) for var, grad in zip(sums, values)],
            strict=True,
        )

        def combine() -> list[Any]:
            combined = self._reduction(added)
            return [grad / self._passes for grad in combined] if self._averages else combined

        with control_dependencies(added):
            self._found = ops.cond(
                self._is_last,
                lambda: [ops.identity(grad) for grad in combine()],
                lambda: [ops.identity(grad) for grad in values],
                strict=True,
            )
        results: list[Any] = [None] * len(grads)
        for position, grad in zip(positions, self._found):
            results[position] = grad
        return results

    def _make_variables(self, positions: Sequence[int], grads: Sequence[Any]) -> list[Any]:
        """Creates the pass counter and, as result, the sums: local variables, not saved in checkpoints."""
        options: dict[str, Any] = {
            "trainable": False,
            "collections": [GraphKeys.LOCAL_VARIABLES],
            "use_resource": True,
        }
        with variable_scope(f"aggregation_variables_{rank()}", reuse=AUTO_REUSE):
            counter = get_variable("aggregation_counter", [], int64, Zeros(), **options)
            sums = [
                get_variable(str(position), grad.shape, grad.dtype.base_dtype, Zeros(), **options)
                for position, grad in zip(positions, grads)
            ]
        self.variables = [counter, *sums]
        return sums

    def apply(self, apply: Callable[[], Any], skip: Callable[[], Any]) -> Any:
        """Returns an operation that runs `apply()` in the last pass, and `skip()` in others."""

        def after(work: Callable[[], Any]) -> Callable[[], Any]:
            def branch() -> Any:
                with control_dependencies([work()]):
                    return ops.no_op()

            return branch

        with control_dependencies(self._found):
            return ops.group(ops.cond(self._is_last, after(apply), after(skip)))
