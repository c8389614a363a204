"""A client's session on a server, which holds the graph and runs the steps."""

from __future__ import annotations

import _thread
import atexit
import re
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base import errors, proto
from tfmini._src.cluster.grpc_channel import grpc
from tfmini._src.cluster.master_session import StepKey
from tfmini._src.cluster.master_stub import LocalMaster, MasterStub, master_at
from tfmini._src.compiler.error_translation import describe_node
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.executor.partial import PartialRunProgress
from tfmini._src.graph import nodedef

_NODE = re.compile(r"(\[\[)?\{\{node ([^\s}]+)\}\}")


class RemoteSession:
    """A session on the server "grpc://host:port"; starts when the client's graph gets its first nodes."""

    def __init__(self, target: str, graph: Any, config: Any):
        grpc()  # reports a missing grpc here
        self._target = target
        self._graph = graph
        self._config = proto.ConfigProto()
        if config is not None:
            self._config.CopyFrom(config)
        self._master: MasterStub | LocalMaster = master_at(target)
        self._handle = ""
        self._version = 0
        self._sent_count = 0  # operations already sent to the server
        self._functions: dict[str, Any] = {}
        self.dead_handles: list[str] = []  # handles of server tensors that are no longer referenced
        self.limit = self._config.operation_timeout_in_ms / 1000
        self._finalizer = weakref.finalize(self, _close_in_background, self._master, state := [""])
        self._finalizer.atexit = False
        self._state = state
        _open.add(self)

    def update(self) -> None:
        """Sends the nodes added to the graph to the server."""
        ops = self._graph._ops
        count = len(ops)
        if count == self._sent_count and self._handle:
            return
        message = proto.GraphDef(versions=self._graph.graph_def_versions)
        for op in ops[self._sent_count : count]:
            nodedef._fill_node_def(
                message.node.add(), op, sorted(c.name for c in op._control_inputs)
            )
        if self._functions != self._graph._functions:
            self._functions = dict(self._graph._functions)
            nodedef.write_library(self._graph, message)
        if self._handle:
            self._version = self._master.extend_session(self._handle, message, self._version)
        else:
            self._handle, self._version = self._master.create_session(
                message, self._config, self._target
            )
            self._state[0] = self._handle
        self._sent_count = count

    def step(self, fetches: Sequence[Any], feeds: Sequence[Any], targets: Sequence[Any]) -> Any:
        """Prepares a step that feeds and fetches tensors and runs target operations."""
        key = StepKey(
            tuple(tensor.name for tensor in feeds),
            tuple(tensor.name for tensor in fetches),
            tuple(op.name for op in targets),
        )
        dtypes = [tensor.dtype.base_dtype for tensor in feeds]
        if not fetches and not targets:
            return RemoteStep(_empty_results, self._graph, self.limit)
        run = self._master.step(self._handle, key, dtypes)
        return RemoteStep(run, self._graph, self.limit)

    def partial_run(
        self, fetches: Sequence[Any], feeds: Sequence[Any], targets: Sequence[Any]
    ) -> RemotePartialRun:
        """Sets up a partial run."""
        key = StepKey(
            tuple(tensor.name for tensor in feeds),
            tuple(tensor.name for tensor in fetches),
            tuple(op.name for op in targets),
        )
        try:
            run = self._master.set_up_partial_run(self._handle, key)
        except errors.OpError as error:
            raise in_graph(error, self._graph) from None
        return RemotePartialRun(self, run, PartialRunProgress(fetches, feeds))

    def run_partly(
        self, run: str, feeds: Sequence[tuple[Any, Any]], fetches: Sequence[Any]
    ) -> list[Any]:
        """Continues a partial run: feeds arrays by tensor, returns the arrays of `fetches`."""
        values = {tensor.name: (value, tensor.dtype.base_dtype) for tensor, value in feeds}
        names = [tensor.name for tensor in fetches]
        try:
            return self._master.run_partly(self._handle, run, values, names)
        except errors.OpError as error:
            raise in_graph(error, self._graph) from None

    def list_devices(self) -> list[DeviceAttributes]:
        """Returns the devices of all the session's tasks, the server's first."""
        if not self._handle:
            self.update()
        return self._master.list_devices(self._handle)

    def close(self) -> None:
        """Closes the session on the server and cancels its steps; raises AbortedError for a session unknown there."""
        try:
            if self._handle:
                self._state[0] = ""
                self._finalizer.detach()
                self._master.close_session(self._handle)
        except (errors.UnavailableError, errors.DeadlineExceededError):
            pass  # the server is gone, and so is the session
        finally:
            self._master.close()


def _empty_results(feeds: Sequence[Any], options: Any, metadata: Any, limit: float) -> list[Any]:
    """Returns the result of a step without fetches and targets, which is not sent to the server."""
    return []


_open: weakref.WeakSet[RemoteSession] = weakref.WeakSet()


@atexit.register
def _leave_all() -> None:
    """Closes sessions that are still open at interpreter exit."""
    for session in list(_open):
        if session._finalizer.detach():
            _leave(session._master, session._state)


def _close_in_background(master: Any, state: list[str]) -> None:
    """Closes an unreferenced session on another thread, since garbage collection may run while this one holds locks."""
    try:
        _thread.start_new_thread(_leave, (master, state))
    except RuntimeError:  # at interpreter exit
        pass


def _leave(master: Any, state: list[str]) -> None:
    try:
        if state[0]:
            master.close_session(state[0])
        master.close()
    except Exception:  # cannot be reported at this point
        pass


class RemoteStep:
    """A step of a remote session; `run` has the same signature as a plan's."""

    recorder = None
    by_shapes = None

    def __init__(self, run: Any, graph: Any, limit: float):
        self._run = run
        self._graph = graph
        self._limit = limit

    def callers_streams(self) -> Mapping[str, Any]:
        """Returns an empty dict, as a client has no GPUs."""
        return {}

    def run(self, feeds: Sequence[Any], options: Any = None, metadata: Any = None) -> list[Any]:
        """Runs the step; errors reference the client graph's nodes."""
        limit = self._limit
        if options is not None and options.timeout_in_ms > 0:
            limit = options.timeout_in_ms / 1000
        try:
            return self._run(feeds, options, metadata, limit)
        except errors.OpError as error:
            raise in_graph(error, self._graph) from None


class RemotePartialRun:
    """A partial run of a remote session, with the interface of the local `PartialRun`."""

    def __init__(self, session: RemoteSession, run: str, progress: PartialRunProgress):
        self._session = session
        self._run = run
        self._announced = progress
        self._failed = False

    @property
    def finished(self) -> bool:
        """Whether everything has been fed and fetched, or the run has failed."""
        return self._failed or self._announced.is_done

    def step(self, feeds: Sequence[tuple[Any, Any]], fetches: Sequence[Any]) -> list[Any]:
        """Feeds some tensors and returns the fetches. Raises InvalidArgumentError, or the error that ended the step."""
        tensors = [tensor for tensor, _ in feeds]
        self._announced.check(tensors, fetches)
        try:
            values = self._session.run_partly(self._run, feeds, fetches)
        except BaseException:
            self._failed = True
            raise
        self._announced.note(tensors, fetches)
        return values


def in_graph(error: errors.OpError, graph: Any) -> errors.OpError:
    """Converts a server's error to one of the client's graph: the operation, and the line that created it."""
    nodes = graph._nodes_by_name
    operations: list[Any] = []

    def replace_match(match: re.Match[str]) -> str:
        op = nodes.get(match[2])
        if op is None:
            return match[0]
        if match[1]:
            operations.append(op)
        return (match[1] or "") + describe_node(op)

    message = _NODE.sub(replace_match, error.message)
    error_class: Any = type(error)
    if not operations:
        return error if message == error.message else error_class(None, None, message)
    if error_class in (errors.OpError, errors.UnknownError):
        return error_class(operations[0].node_def, operations[0], message, error.error_code)
    return error_class(operations[0].node_def, operations[0], message)


def reset(target: str, containers: Sequence[str] | None, config: Any) -> None:
    """Clears a cluster's resource containers, and closes the server's sessions."""
    filters = [] if config is None else list(config.device_filters)
    master = master_at(target)
    limit = 0.0 if config is None else config.operation_timeout_in_ms / 1000
    master.reset(list(containers or ()), filters, limit)
    master.close()
