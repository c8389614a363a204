"""Monitors that log or record values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.base_monitors import BaseMonitor, EveryN, PrintTensor
from tfmini._src.contrib.learn.saver_monitors import SummarySaver
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.train.events.file_writer import FileWriter


class LoggingTrainable(EveryN):
    """Logs the values of trainable variables.

    Args:
      scope: regular expression that variable names must start with; None for all.
      every_n: interval in steps; first_n: number of initial steps.
    """

    def __init__(self, scope: str | None = None, every_n: int = 100, first_n: int = 1):
        super().__init__(every_n, first_n)
        self._scope = scope
        self._names: dict[str, str] = {}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Returns the variables' values."""
        variables = get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, self._scope)
        self._names = {variable.name: variable.value().name for variable in variables}
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Logs the values; never requests a stop."""
        rows = [f"{tag} = {outputs[n]!s}" for tag, n in self._names.items() if n in outputs]
        logs.info("Logging Trainable: Step %d: %s", step, ", ".join(rows))
        return False


class CaptureVariable(EveryN):
    """Records the values of a tensor.

    Args:
      var_name: tensor name, such as "dense/kernel:0".
      every_n: interval in steps; first_n: number of initial steps.
    """

    values: dict = read_only("Values by step.", "_var_values")

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1):
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._var_values: dict[int, Any] = {}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Returns the tensor."""
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Records the value; never requests a stop."""
        self._var_values[step] = outputs[self._var_name]
        return False


class GraphDump(BaseMonitor):
    """Records the first output of almost every operation of the graph at each step.

    Args:
      ignore_ops: operation types to skip; by default `IGNORE_OPS`.
    """

    data: dict = read_only("Values of each step, by tensor.")
    IGNORE_OPS = [
        *("Const", "Assign", "Identity", "Placeholder", "RandomUniform", "Cast", "RestoreSlice")
    ]

    def __init__(self, ignore_ops: Sequence[str] | None = None):
        super().__init__()
        self._ignored = ignore_ops or self.IGNORE_OPS
        self._data: dict[int, dict] = {}
        self._tensors: list = []

    def begin(self, max_steps: int | None = None) -> None:
        """Logs the recorded operations."""
        super().begin(max_steps=max_steps)
        self._tensors = []
        for op in get_default_graph().get_operations():
            if op.type not in self._ignored:
                logs.info("op=%s name=%s.", op.type, op.name)
                self._tensors += op.outputs[:1]

    def step_begin(self, step: int) -> list[Any]:
        """Returns the tensors to record."""
        super().step_begin(step)
        return self._tensors

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Records the values; never requests a stop."""
        super().step_end(step, output)
        self._data[step] = output
        return False

    def compare(
        self, other_dump: GraphDump, step: int, atol: float = 1e-06
    ) -> tuple[list[Any], dict[Any, Any]]:
        """Compares a step's values with the values in another dump, by name.

        Args:
          other_dump: the other `GraphDump`.
          step: the step.
          atol: absolute tolerance for floats.

        Returns:
          (names of matching values, dict from other names to the array difference or a pair of values).

        Raises:
          ValueError: if the other dump lacks a value.
        """
        own_values, other_values = self._data.get(step, {}), other_dump.data.get(step, {})
        matched, different = [], {}
        for key in [key for key in own_values if isinstance(key, str)]:
            if key not in other_values:
                raise ValueError("%s missing at step %s.", (key, step))
            first, second = own_values[key], other_values[key]
            if isinstance(first, np.ndarray):
                if np.allclose(first, second, atol=atol):
                    matched.append(key)
                else:
                    different[key] = first - second
            elif not isinstance(first, str):
                if first == second:
                    matched.append(key)
                else:
                    different[key] = (first, second)
        return matched, different


@deprecated(None, "Use tf.train.MonitoredTrainingSession.")
def get_default_monitors(
    loss_op: Tensor | None = None,
    summary_op: Tensor | None = None,
    save_summary_steps: int = 100,
    output_dir: str | None = None,
    summary_writer: FileWriter | None = None,
) -> list[Any]:
    """Returns the default monitors: a `PrintTensor` of the loss and a `SummarySaver`.

    Args:
      loss_op: the loss, or None.
      summary_op: serialized Summary, or None.
      save_summary_steps: interval in steps at which summaries are written.
      output_dir: target directory; summary_writer: alternatively, a `tf.summary.FileWriter`.
    """
    monitors: list = []
    if loss_op is not None:
        monitors.append(PrintTensor(tensor_names={"loss": loss_op.name}))
    if summary_op is not None:
        monitors.append(SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer))
    return monitors
