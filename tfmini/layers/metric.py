"""The metric that `Layer.add_metric` makes: the mean of what it was given in all steps so far."""

from __future__ import annotations

from typing import Any

from tfmini import dtypes
from tfmini.graph.opdef import ops
from tfmini.graph.scopes import control_dependencies
from tfmini.graph.tensor import Tensor
from tfmini.variables.init_scope import init_scope
from tfmini.variables.initializers import Zeros
from tfmini.variables.synchronization import VariableAggregation, VariableSynchronization
from tfmini.variables.variable import Variable


class LayerMetric:
    """A mean over steps.

    Attributes:
      name: its name.
      total, count: variables in no collection, float32: the sum so far, and how many were added.
      updates: the operations that add to them.
    """

    def __init__(self, name: str):
        self.name = name
        self.updates: list = []
        with init_scope():
            self.total = _zero("total")
            self.count = _zero("count")

    @property
    def variables(self) -> list:
        """`total` and `count`."""
        return [self.total, self.count]

    def update(self, values: Any) -> Tensor:
        """Adds `values` in each step that runs `updates`; the mean then."""
        values = ops.cast(values, dtypes.float32)
        step_sum = ops.reduce_sum(values)
        with control_dependencies([step_sum]):
            total = self.total.assign_add(step_sum)
        size = ops.cast(ops.size(values), dtypes.float32)
        with control_dependencies([total]):
            count = self.count.assign_add(size)
        self.updates.append(count.op)
        with control_dependencies([count]):
            return self.result()

    def result(self) -> Tensor:
        """The mean so far, 0 if there was nothing: a float32 scalar."""
        return ops.identity(ops.div_no_nan(self.total, self.count))


def _zero(name: str) -> Any:
    return Variable(
        initial_value=lambda: Zeros()((), dtype=dtypes.float32),
        name=name,
        trainable=False,
        dtype=dtypes.float32,
        use_resource=True,
        collections=[],
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
    )
