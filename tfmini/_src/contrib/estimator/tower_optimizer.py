"""`TowerOptimizer`: collects gradients from the towers of a model function; the last tower applies them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.collections import get_collection_ref
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.variable_identity import variable_key
from tfmini._src.variables.variable_scope import variable_scope

DEPRECATION = ("2018-05-31", "Please use `tf.contrib.distribute.MirroredStrategy` instead.")


class Towers:
    """The towers of a graph under construction, and the gradients collected from them.

    A graph without `replicate_model_fn` has one tower.
    """

    def __init__(self, loss_reduction: str | None = None, tower_count: int = 1):
        self.loss_reduction, self.tower_count = loss_reduction, tower_count
        self.uses_optimizer = False
        self._index = 0
        self._first_scopes: tuple[Any, str] = (None, "")
        self._collected: list[list[list]] = [[] for _ in range(tower_count)]

    @contextmanager
    def tower(self, index: int, scopes: tuple[Any, str]) -> Iterator[None]:
        """Context manager for building a tower; `scopes` are its variable scope and name scope."""
        if index == 0:
            self._first_scopes = scopes
        self._index = index
        yield

    def mean_loss(self, loss: Any) -> Any:
        """Returns a tower's contribution to the mean loss, summed over towers."""
        if loss is None or self.tower_count == 1 or self.loss_reduction == Reduction.SUM:
            return loss
        return ops.div(loss, 1.0 * self.tower_count, name="averaged_loss")

    def collect(self, grads_and_vars: list) -> bool:
        """Adds gradients of the current tower; returns whether it is the last one."""
        self._collected[self._index].append(grads_and_vars)
        return self._index == self.tower_count - 1

    def latest(self) -> list:
        """Returns the gradients of all towers for the most recently called optimizer."""
        last = len(self._collected[self._index]) - 1
        return [pair for tower in self._collected for pair in tower[last]]

    @contextmanager
    def first_scopes(self) -> Iterator[None]:
        """Context manager that reopens the scopes of the first tower, whose names have no prefix."""
        variables, names = self._first_scopes
        with variable_scope(variables), name_scope(names):
            yield

    def has_equal_calls(self) -> bool:
        """Whether the number of optimizer calls is a multiple of the number of towers."""
        return sum(map(len, self._collected)) % self.tower_count == 0


class TowerOptimizer(Optimizer):
    """Sums the gradients of all towers of `replicate_model_fn`, and applies them in the last one.

    All towers call the same optimizers in the same order. With one tower, or without `replicate_model_fn`, every call
    is forwarded.

    Args:
      optimizer_or_optimizer_fn: an optimizer, or a function without arguments that returns one.

    Example: see `tf.contrib.estimator.replicate_model_fn`.
    """

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    @deprecated(*DEPRECATION)
    def __init__(self, optimizer_or_optimizer_fn: Optimizer | Callable[[], Optimizer]):
        self._optimizer_or_fn = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Whether a TowerOptimizer has been called in the default graph."""
        return graph_towers().uses_optimizer

    def _optimizer(self) -> Optimizer:
        if not isinstance(self._optimizer_or_fn, Optimizer) and callable(self._optimizer_or_fn):
            self._optimizer_or_fn = self._optimizer_or_fn()
        graph_towers().uses_optimizer = True
        return self._optimizer_or_fn

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer().get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        return self._optimizer().get_slot_names(*args, **kwargs)

    def get_name(self, *args: Any, **kwargs: Any) -> str:
        return self._optimizer().get_name(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> list:
        return self._optimizer().variables(*args, **kwargs)

    def compute_gradients(self, loss: Tensor, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """Returns the (gradient, variable) pairs of the tower's contribution to the loss.

        Takes the arguments of `tf.train.Optimizer.compute_gradients`.
        """
        share = graph_towers().mean_loss(loss)
        return self._optimizer().compute_gradients(share, *args, **kwargs)

    def apply_gradients(  # type: ignore[override]
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: TensorLike | None = None,
        **kwargs: Any,
    ) -> Operation:
        """Applies the summed gradients in the last tower; a no-op in the others.

        Takes the arguments of `tf.train.Optimizer.apply_gradients`.
        """
        towers = graph_towers()
        if towers.tower_count == 1:
            return self._optimizer().apply_gradients(grads_and_vars, global_step, **kwargs)
        pairs = list(grads_and_vars)
        if not towers.collect(pairs):
            with control_dependencies(
                [_dense_values(grad) for grad, _ in pairs if grad is not None]
            ):
                return ops.no_op(name="train_op_placeholder")
        with towers.first_scopes():
            optimizer = self._optimizer()
            with name_scope("gradient_aggregating"):
                summed = _sum_by_variable(towers.latest())
            return optimizer.apply_gradients(summed, global_step=global_step, **kwargs)


def graph_towers() -> Towers:
    """Returns the towers of the default graph, stored in a collection during construction."""
    collection = get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    if not collection:
        collection.append(Towers())
    return collection[-1]


@contextmanager
def build_towers(loss_reduction: str, tower_count: int) -> Iterator[Towers]:
    """Context manager in which the default graph has `tower_count` towers."""
    collection = get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    collection[:] = [Towers(loss_reduction, tower_count)]
    yield collection[-1]
    get_default_graph().clear_collection(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)


def _dense_values(grad: Any) -> Tensor:
    return grad.values if isinstance(grad, IndexedSlices) else grad


def _sum_by_variable(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Sums the gradients of each variable on its device."""
    gradients_by_variable: dict[Any, tuple[list, Any]] = {}
    for grad, var in pairs:
        if grad is not None:
            gradients_by_variable.setdefault(variable_key(var), ([], var))[0].append(grad)
    return [
        (sum_on_device(grads, var.device), var) for grads, var in gradients_by_variable.values()
    ]


def sum_on_device(values: list, where: str, name: str | None = None) -> Any:
    """Returns the sum of tensors, or the concatenation of IndexedSlices, on a device."""
    with device(where):
        if not isinstance(values[0], IndexedSlices):
            return ops.add_n(values, name=name)
        rows = ops.concat([v.values for v in values], axis=0)
        indices = ops.concat([v.indices for v in values], axis=0)
        return IndexedSlices(rows, indices, values[0].dense_shape)
