"""A task's state: shared by its sessions, or private to one of them."""

from __future__ import annotations

import itertools
from typing import Any

from tfmini._src.executor.inline.function_plans import FunctionPlans
from tfmini._src.executor.state.resources import NodeStates, Resources
from tfmini._src.ops.state.session_handle_ops import SESSION_TENSORS, StoredTensors

_session_ids = itertools.count(1)


class SessionState(NodeStates):
    """A task's resources, or an isolated session's own, as seen by one session's steps; `devices` begins with the CPU.

    Variables and resources with a shared name belong to the task, unless the session is isolated; random streams,
    and iterators, queues, readers and hash tables without a shared name, belong to the session.
    """

    def __init__(self, resources: Resources, devices: list[Any]):
        super().__init__(resources)
        self.closed: list[bool] = []
        self.steps: set[Any] = set()
        self.functions = FunctionPlans(devices[:1])
        self._tensors = StoredTensors(at_once=True)
        self._id = next(_session_ids)
        self._resource_keys: set[Any] = set()

    def named(self, key: Any, factory: Any) -> Any:
        """Same as `Resources.named`, but tensors with handles, and resources named by a tuple, are the session's."""
        if key == SESSION_TENSORS:
            return self._tensors
        if isinstance(key[-1], tuple):
            key = (*key[:-1], (*key[-1], self._id))
            self._resource_keys.add(key)
        return self._resources.named(key, factory)

    def close(self) -> None:
        """Cancels the session's steps and drops its private state; shared state remains."""
        self.closed.append(True)
        self._tensors = StoredTensors(at_once=True)
        for step in list(self.steps):
            step.cancel()
        own_resources = [self._resources.lookup(key) for key in self._resource_keys]
        self._resources.forget([*self._nodes.values(), *own_resources])
