"""A task's state: shared by its sessions, or private to one of them."""

from __future__ import annotations

from typing import Any

from tfmini._src.executor.inline.function_plans import FunctionPlans
from tfmini._src.executor.state.resources import NodeStates, Resources
from tfmini._src.ops.state.session_handle_ops import SESSION_TENSORS, KeptTensors


class SessionState(NodeStates):
    """A task's resources, as seen by one session's steps.

    Variables, queues and tables belong to the task, unless the session is isolated; random streams and iterators
    without a shared name belong to the session.

    Args:
      resources: the task's, or an isolated session's own.
      devices: the task's, its CPU first.
    """

    def __init__(self, resources: Resources, devices: list[Any]):
        super().__init__(resources)
        self.closed: list[bool] = []
        self.steps: set[Any] = set()
        self.functions = FunctionPlans(devices[:1])
        self._tensors = KeptTensors(at_once=True)

    def named(self, key: Any, factory: Any) -> Any:
        """Same as `Resources.named`, except that tensors with handles belong to the session."""
        return self._tensors if key == SESSION_TENSORS else self._resources.named(key, factory)

    def close(self) -> None:
        """Cancels the session's steps and drops its private state; shared state stays."""
        self.closed.append(True)
        self._tensors = KeptTensors(at_once=True)
        for step in list(self.steps):
            step.cancel()
        self._resources.forget(self._nodes.values())
