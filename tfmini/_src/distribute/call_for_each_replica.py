"""Builds the graphs of replicas one by one, in one thread per replica, so that replicas can wait for each other.

Only one thread runs at a time. When a replica's function calls `merge_call`, its thread blocks, and the next one runs;
once all have blocked, the merge function runs in the caller's thread, and all continue with their results.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.distribute import strategy_context
from tfmini._src.distribute.distributed_values import regroup, select_replica
from tfmini._src.distribute.replica_context import ReplicaContext
from tfmini._src.distribute.shared_variables import sharing_creator
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import eager_mode, executing_eagerly
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.init_scope import graph_around_functions
from tfmini._src.variables.variable_creator import (
    current_creators,
    set_creators,
    variable_creator_scope,
)
from tfmini._src.variables.variable_scope import variable_scope


class _ReplicaStopped(BaseException):
    """Raised in a replica to stop it after another one failed."""


def call_for_each_replica(
    strategy: Any, device_map: Any, fn: Callable, args: Any, kwargs: Any
) -> Any:
    """Calls `fn(*args, **kwargs)` once per replica and regroups the results leaf by leaf.

    Raises:
      RuntimeError: if the replicas differ in their number of `merge_call`s.
    """
    get_default_graph().switch_to_thread_local()
    store: dict[str, list] = {}
    replicas = [
        _Replica(
            strategy,
            replica_id,
            device_map,
            sharing_creator(store, replica_id),
            fn,
            select_replica(replica_id, args),
            select_replica(replica_id, kwargs),
        )
        for replica_id in range(device_map.num_replicas_in_graph)
    ]
    try:
        while True:
            for replica in replicas:
                replica.resume()
            if all(replica.is_done for replica in replicas):
                break
            if any(replica.is_done for replica in replicas):
                raise RuntimeError(
                    "Some replicas made a different number of replica_context().merge_call() calls."
                )
            _merge(strategy, device_map, replicas)
    except BaseException as error:
        logs.info("Error reported to Coordinator: %s", error, exc_info=sys.exc_info())
        raise
    finally:
        for replica in replicas:
            replica.stop()
    return regroup(device_map, tuple(replica.result for replica in replicas))


def _merge(strategy: Any, device_map: Any, replicas: list[_Replica]) -> None:
    """Calls the pending merge function of all replicas, in the first replica's scopes."""
    calls = [replica.call for replica in replicas]
    args = regroup(device_map, tuple(call.args for call in calls))
    kwargs = regroup(device_map, tuple(call.kwargs for call in calls))
    controls = dict.fromkeys(op for call in calls for op in call.controls)
    first = calls[0]
    with (
        name_scope(first.name_scope),
        control_dependencies(controls),
        variable_scope(first.variable_scope),
    ):
        result = first.function(strategy, *args, **kwargs)
    for replica_id, replica in enumerate(replicas):
        replica.merged = select_replica(replica_id, result)


class _MergeCall:
    """A call of `merge_call`, with the replica's open scopes.

    Args:
      function: the function.
      args, kwargs: the replica's values.
    """

    def __init__(self, function: Callable, args: Any, kwargs: Any):
        graph = get_default_graph()
        self.function, self.args, self.kwargs = function, args, kwargs
        scope = graph.get_name_scope()
        self.name_scope = scope and scope + "/"
        self.variable_scope = get_variable_scope()
        self.controls = [op for block in graph._blocks.controls for op in block.control_inputs]


class _Replica(threading.Thread):
    """Thread that runs one replica's function while the caller waits in `resume`."""

    call: _MergeCall

    def __init__(
        self,
        strategy: Any,
        replica_id: int,
        device_map: Any,
        creator: Callable,
        fn: Callable,
        args: Any,
        kwargs: Any,
    ):
        super().__init__(daemon=True)
        self.strategy, self.replica_id = strategy, replica_id
        self.is_done = False
        self.result: Any = None
        self.merged: Any = None
        self._function, self._args, self._kwargs = fn, args, kwargs
        self._device = device_map.logical_to_actual_devices(0)[replica_id]
        self._creator = creator
        self._error: BaseException | None = None
        self._is_stopped = False
        self._resumed, self._has_paused = threading.Event(), threading.Event()
        self._is_eager = executing_eagerly()
        self._outermost_graph = graph_around_functions()
        self.graph = get_default_graph()
        self._creators = current_creators()
        self._variable_scope = get_variable_scope()
        scope = self.graph.get_name_scope()
        self._name_scope = scope and scope + "/"
        if replica_id > 0:
            self._name_scope += f"replica_{replica_id}/"

    # In the caller's thread ----------------------------------------------------------------------

    def resume(self) -> None:
        """Runs the replica to its end or its next `merge_call`; re-raises its exceptions."""
        if self.ident is None:
            self.start()
        self._resumed.set()
        self._has_paused.wait()
        self._has_paused.clear()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Stops the replica at its current point."""
        if self.ident is not None:
            self._is_stopped = True
            self._resumed.set()
            self.join()

    # In its own thread ---------------------------------------------------------------------------

    def run(self) -> None:
        self._wait()
        try:
            with ExitStack() as stack:
                self._enter_scopes(stack)
                self.result = self._function(*self._args, **self._kwargs)
                self.is_done = True
        except _ReplicaStopped:
            pass
        except BaseException as error:
            self._error = error
        finally:
            self._has_paused.set()

    def _wait(self) -> None:
        self._resumed.wait()
        self._resumed.clear()

    def _enter_scopes(self, stack: ExitStack) -> None:
        """Enters the scopes of the caller's thread, and this replica's own."""
        if self._outermost_graph is None:
            stack.enter_context(eager_mode())
        elif self._outermost_graph is not self.graph:
            stack.enter_context(self._outermost_graph.as_default())
        stack.enter_context(self.graph.as_default())
        if self._is_eager:
            stack.enter_context(eager_mode())
        set_creators(self.graph, self._creators)
        replica_id = ops.constant(self.replica_id, dtypes.int32)
        stack.enter_context(MirroredReplicaContext(self.strategy, replica_id, self))
        stack.enter_context(device(self._device))
        stack.enter_context(name_scope(self._name_scope))
        stack.enter_context(variable_scope(self._variable_scope, reuse=self.replica_id > 0))
        stack.enter_context(variable_creator_scope(self._creator))

    def merge(self, call: _MergeCall) -> Any:
        """Blocks until the function of a `merge_call` has run."""
        self.call = call
        self._has_paused.set()
        self._wait()
        if self._is_stopped:
            raise _ReplicaStopped
        return self.merged


class MirroredReplicaContext(ReplicaContext):
    """Context of one of several replicas; `merge_call` waits for the others."""

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any, thread: _Replica):
        super().__init__(strategy, replica_id_in_sync_group)
        self._thread = thread

    def _merge_call(self, merge_fn: Callable, args: Any, kwargs: Any) -> Any:
        if get_default_graph() is not self._thread.graph:
            raise RuntimeError(
                "`merge_call` called while defining a new graph or a tf.function. This can often happen if the "
                "function `fn` passed to `strategy.experimental_run()` is decorated with `@tf.function` (or contains "
                "a nested `@tf.function`), and `fn` contains a synchronization point, such as aggregating gradients. "
                "This behavior is not yet supported. Instead, please wrap the entire call "
                "`strategy.experimental_run(fn)` in a `@tf.function`, and avoid nested `tf.function`s that may "
                "potentially cross a synchronization boundary."
            )
        return self._thread.merge(_MergeCall(merge_fn, args, kwargs))

    @property
    def devices(self) -> tuple[str, ...]:
        strategy_context.require_replica(self)
        replica_id: Any = constant_value(self._replica_id_in_sync_group)
        return (self._strategy.extended.worker_devices[int(replica_id)],)
