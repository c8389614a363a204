"""A task's worker: its devices, resources, sessions, and running partitions."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tfmini._src.base import proto
from tfmini._src.base.errors import (
    AbortedError,
    CancelledError,
    OpError,
    UnimplementedError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.chunks import ACCEPTS_PARTS, StoredReplies, pull
from tfmini._src.cluster.grpc_channel import RECEIVE_MANY, SHARE_MEMORY, WORKER, Channel, Channels
from tfmini._src.cluster.limits import check_registered
from tfmini._src.cluster.partition import device_task
from tfmini._src.cluster.recv_tensor import (
    keys_to_bytes,
    prefix_with_task,
    read_reply,
    sender,
    senders,
)
from tfmini._src.cluster.registered_graph import RegisteredGraph
from tfmini._src.cluster.rendezvous import (
    Item,
    Receiver,
    Receivers,
    RecentSteps,
    Rendezvous,
    Rendezvouses,
    TensorCollector,
)
from tfmini._src.cluster.shared_memory import Inbox, PeerFiles
from tfmini._src.cluster.task_state import SessionState
from tfmini._src.cluster.task_view import TaskView, device_for_task
from tfmini._src.cluster.worker_partial_run import IDLE_SECONDS, PartialStep, PartialSteps
from tfmini._src.devices.attributes import device_to_attributes
from tfmini._src.devices.host.memory import keep_freed_memory
from tfmini._src.devices.host.threads import configure
from tfmini._src.devices.registry import listed, session_devices
from tfmini._src.executor.asynchronous_run import Callback, Submit
from tfmini._src.executor.state.resources import Resources
from tfmini._src.executor.tracing.recorder import Span
from tfmini._src.formats.varints import varint
from tfmini._src.ops.pending_ops import Step

_UINT64_MASK = (1 << 64) - 1
_NO_TENSOR = AbortedError(None, None, "RecvTensor expects a different device incarnation")


class WorkerSession:
    """State of a session on a task: task names, state view, and registered graphs by handle."""

    def __init__(self, state: SessionState, view: TaskView):
        self.state = state
        self.view = view
        self.graphs: dict[str, RegisteredGraph] = {}


class Worker:
    """One task of a cluster.

    Args:
      name: "/job:worker/replica:0/task:0".
      addresses: all tasks' addresses, by name.
      config: ConfigProto for its devices, or None.
    """

    def __init__(self, name: str, addresses: Mapping[str, str], config: Any = None):
        keep_freed_memory()
        configure(0 if config is None else config.intra_op_parallelism_threads)
        self.name = name
        attached_devices = session_devices(config, name)
        devices = [device_for_task(device, name) for device in listed(config, attached_devices)]
        self.view = TaskView(name, devices, attached_devices, Channels(dict(addresses)))
        # For all names of its devices across sessions.
        self.incarnations = dict(self.view.incarnations)
        self.resources = Resources(_job_name(name))
        self._default = WorkerSession(SessionState(self.resources, devices), self.view)
        self._partial_steps = PartialSteps(self._give_up_partial_step)
        self.files_of_others = PeerFiles()
        self.stored_replies = StoredReplies()
        self._inboxes: WeakKeyDictionary[Channel, Inbox] = WeakKeyDictionary()
        self._sessions: dict[str, WorkerSession] = {}
        self._rendezvouses = Rendezvouses()
        self._steps: dict[int, set[Step]] = {}
        self._take_no_more = RecentSteps()
        self._handles = itertools.count(1)
        self._lock = make_lock()

    def attributes(self) -> list[Any]:
        """Returns a DeviceAttributes message for each device."""
        return [device_to_attributes(device) for device in self.view.devices]

    # Sessions ------------------------------------------------------------------------------------

    def renamed(self, name: str, addresses: Mapping[str, str]) -> TaskView:
        """Returns this task's view under its name in a session's own cluster."""
        view = self.view.renamed(name, addresses)
        self.incarnations.update(view.incarnations)
        return view

    def create_session(self, handle: str, isolated: bool, view: TaskView | None = None) -> None:
        """Creates a session, with its own resources if it is isolated.

        view: the task's view, if the session has its own cluster.
        """
        view = view or self.view
        resources = Resources(_job_name(view.name)) if isolated else self.resources
        session = WorkerSession(SessionState(resources, view.devices), view)
        with self._lock:
            self._sessions.setdefault(handle, session)

    def delete_session(self, handle: str) -> None:
        with self._lock:
            session = self._sessions.pop(handle, None)
        if session is not None:
            session.state.close()

    def session(self, handle: str) -> WorkerSession:
        """Returns the session with a handle, "" for the shared one; raises AbortedError if a restart lost it."""
        if not handle:
            return self._default
        session = self._sessions.get(handle)
        if session is None:
            raise AbortedError(
                None,
                None,
                f'Session handle is not found: {handle}. Possibly this worker ("{self.name}") just restarted.',
            )
        return session

    # Graphs --------------------------------------------------------------------------------------

    def register(self, handle: str, graph_def: Any) -> str:
        """Registers a partition; returns the handle for running it. Raises ResourceExhaustedError beyond the limit."""
        session = self.session(handle)
        graphs = list(session.graphs.values())
        check_registered(graph_def, [len(registered.graph._ops) for registered in graphs])
        view = session.view
        graph = RegisteredGraph(graph_def, session.state, view.devices, view.attached)
        graph_handle = f"{next(self._handles):016x}"
        session.graphs[graph_handle] = graph
        return graph_handle

    def deregister(self, handle: str, graph_handle: str) -> None:
        """Drops a partition; raises AbortedError if it does not exist."""
        if self.session(handle).graphs.pop(graph_handle, None) is None:
            raise _no_graph(graph_handle)

    # Steps ---------------------------------------------------------------------------------------

    def begin(self, handle: str, step_id: int) -> Step:
        """Prepares a session's part of a step on this task."""
        rendezvous = self._rendezvous(step_id)
        rendezvous.view = self.session(handle).view
        step = Step(rendezvous)
        with self._lock:
            self._steps.setdefault(step_id, set()).add(step)
            takes_no_more = step_id in self._take_no_more
        if takes_no_more:
            step.stop_dequeuing()
        if rendezvous.is_aborted():  # cancelled before it was registered
            step.cancel()
        return step

    def run(
        self,
        handle: str,
        graph: str,
        step_id: int,
        feeds: Mapping[str, Any],
        keys: Sequence[str],
        soon: Submit,
        on_done: Callback,
        spans: list[Span] | None = None,
    ) -> None:
        """Runs a partition as its part of step `step_id`; calls `on_done(arrays of keys, error)` when it has ended.

        soon: scheduler that resumes the run after a wait.
        spans: if not None, receives the run's spans.

        Raises:
          AbortedError: if the session or the graph does not exist.
        """
        registered = self.graph(handle, graph)
        step = self.begin(handle, step_id)

        def over(results: Sequence[Any] | None, error: BaseException | None) -> None:
            self._has_run(registered, step_id, step, error)
            on_done(results, error)

        registered.run(step, feeds, keys, soon, over, spans)

    def _has_run(
        self, graph: RegisteredGraph, step_id: int, step: Step, error: BaseException | None
    ) -> None:
        if isinstance(error, OpError):
            step.rendezvous.abort(error)
        self._on_step_end(step_id, step)
        if not graph.exchanges:  # no task requests its tensors
            self._rendezvouses.end(step_id)

    def run_partly(
        self,
        handle: str,
        graph: str,
        step_id: int,
        feeds: Mapping[str, Any],
        keys: Sequence[str],
        is_last: bool,
    ) -> list[Any]:
        """Continues a partial run: feeds it, and returns the arrays of `keys` when available.

        is_last: whether this call ends the step.

        Raises:
          Same as `run`.
        """
        entry = self.graph(handle, graph)
        unknown = [key for key in (*feeds, *keys) if key not in {*entry.feeds, *entry.fetches}]
        if unknown:
            invalid(f"{unknown[0]} is not in this graph")

        def make() -> PartialStep:
            step = self.begin(handle, step_id)
            return PartialStep(entry, step, lambda: self._on_step_end(step_id, step))

        with self._partial_steps.get_or_start((graph, step_id), make) as part:
            try:
                values = part.go_on(feeds, keys, is_last)
            except BaseException:
                self._partial_steps.forget((graph, step_id))
                raise
        if is_last:
            self._partial_steps.forget((graph, step_id))
        return values

    def _give_up_partial_step(self, step_id: int) -> None:
        text = f"A partial run was discarded after {IDLE_SECONDS:g} s without a call"
        self.cancel(step_id, AbortedError(None, None, text))

    def _on_step_end(self, step_id: int, step: Step) -> None:
        with self._lock:
            steps = self._steps.get(step_id)
            if steps is not None:
                steps.discard(step)
                if not steps:
                    del self._steps[step_id]

    def graph(self, handle: str, graph_handle: str) -> RegisteredGraph:
        """Returns a registered partition."""
        registered = self.session(handle).graphs.get(graph_handle)
        if registered is None:
            raise _no_graph(graph_handle)
        return registered

    def stop_dequeuing(self, step_id: int) -> None:
        """Ends a step's waits that have not taken any element; the step completes normally if it has all its inputs."""
        with self._lock:
            self._take_no_more.add(step_id)  # its part may begin later
            steps = list(self._steps.get(step_id, ()))
        for step in steps:
            step.stop_dequeuing()

    def cancel(self, step_id: int, error: BaseException | None = None) -> None:
        """Cancels a step: its blocked parts, and other tasks' receives."""
        self._rendezvouses.end(step_id, error)
        self._partial_steps.forget_step(step_id)
        self.stored_replies.forget(step_id)
        with self._lock:
            steps = list(self._steps.get(step_id, ()))
        for step in steps:
            step.cancel()

    def clean_up(self, step_id: int) -> None:
        """Drops the tensors of a finished step."""
        self.cancel(step_id)

    def clean_up_all(self, containers: Sequence[str]) -> None:
        """Clears resource containers, by default the one named after the job."""
        job = _job_name(self.name)
        names = [name for name in containers or [job] if name]
        self.resources.reset(["" if name == job else name for name in names])

    def receive(
        self,
        step_id: int,
        keys: Sequence[str],
        on_done: Receivers,
        known_senders: Sequence[tuple[str, int, str]] = (),
    ) -> Callable[[], None]:
        """Calls `on_done` once all tensors of `keys`, sent on this task, have arrived; returns a canceller.

        known_senders: `senders(keys)`, if the caller has computed them.

        Raises:
          InvalidArgumentError: for a malformed key, or one of another task.
          AbortedError: for a key of this task's previous incarnation.
        """
        for device, life, key in known_senders or senders(keys):
            incarnation = self.incarnations.get(device)
            if incarnation is None:
                invalid(f"{key} is not sent by {self.name}")
            if life != incarnation:
                raise _NO_TENSOR
        rendezvous = self._rendezvous(step_id, begins=False)
        receivers = rendezvous.receive_many(keys, on_done)

        def forget() -> None:
            for receiver in receivers:
                rendezvous.forget(*receiver)
            self._rendezvouses.leave(step_id, rendezvous)

        return forget

    def _rendezvous(self, step_id: int, begins: bool = True) -> Rendezvous:
        def fetch(view: TaskView, key: str, on_done: Receiver) -> Callable[[], None] | None:
            device, _ = sender(key)
            return (
                None
                if device in view.incarnations
                else self._request_tensor(view, step_id, key, on_done)
            )

        def fetch_many(
            view: TaskView, keys: Sequence[str], on_done: Receivers
        ) -> Callable[[], None]:
            return self._request_tensors(view, step_id, keys, on_done)

        return self._rendezvouses.get_or_create(
            step_id, lambda: Rendezvous(fetch, fetch_many), begins
        )

    def _request_tensor(
        self, view: TaskView, step_id: int, key: str, on_done: Receiver
    ) -> Callable[[], None]:
        """Requests a tensor from another task."""
        device, _ = sender(key)
        task = device_task(device)
        # From tfmini's tasks, possibly in shared memory.
        if not view.channels.channel_to(task).is_plain:

            def pass_first(items: list[Item] | None, error: BaseException | None) -> None:
                on_done(None if items is None else items[0], error)

            return self._request_tensors(view, step_id, [key], pass_first)
        request = proto.RecvTensorRequest(
            step_id=step_id,
            rendezvous_key=key,
            dma_ok=True,
            request_id=secrets.randbits(62) + 1,
        )

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            item = None
            if reply is not None:
                try:
                    item = read_reply(reply)
                except OpError as wrong:
                    error = wrong
            elif isinstance(error, OpError) and not isinstance(error, CancelledError):
                error = prefix_with_task(task, error)
            on_done(item, error)

        return view.channels.channel_to(task).begin(
            f"{WORKER}RecvTensor", request.SerializeToString(), on_reply
        )

    def _request_tensors(
        self, view: TaskView, step_id: int, keys: Sequence[str], on_done: Receivers
    ) -> Callable[[], None]:
        """Requests several tensors from another task, one at a time if it cannot batch them."""
        task = device_task(sender(keys[0])[0])
        channel = view.channels.channel_to(task)
        callbacks: list[Callable[[], None]] = []
        if channel.is_plain:
            return self._request_each(view, step_id, keys, on_done)
        channel.request_connection()
        inbox = self._inbox(channel)
        keys = tuple(keys)
        reservation = inbox.reserve(keys)
        request = b"\x08" + varint(step_id & _UINT64_MASK) + keys_to_bytes(keys) + ACCEPTS_PARTS
        if reservation is not None:
            request += reservation.region.request

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            if isinstance(error, UnimplementedError):
                channel.is_plain = True
                callbacks.append(self._request_each(view, step_id, keys, on_done))
            elif reply is not None:
                callbacks.append(pull(channel.begin, reply, pass_items))
            else:
                pass_items(None, error)

        def pass_items(reply: Any, error: BaseException | None) -> None:
            items = None
            if reply is not None:
                try:
                    items = inbox.read(reservation, keys, reply)
                except OpError as wrong:
                    error = wrong
            else:
                inbox.give_up(reservation)
                if isinstance(error, OpError) and not isinstance(error, CancelledError):
                    error = prefix_with_task(task, error)
            on_done(items, error)

        cancel = channel.begin(RECEIVE_MANY, request, on_reply)

        def withdraw() -> None:
            cancel()
            for withdrawal in callbacks:
                withdrawal()

        return withdraw

    def _inbox(self, channel: Channel) -> Inbox:
        """Returns the shared memory for the replies on a channel."""
        inbox = self._inboxes.get(channel)
        if inbox is None:

            def share(request: bytes, on_done: Any) -> None:
                channel.begin(SHARE_MEMORY, request, on_done, timeout=60)

            inbox = self._inboxes.setdefault(channel, Inbox(share))
        return inbox

    def _request_each(
        self, view: TaskView, step_id: int, keys: Sequence[str], on_done: Receivers
    ) -> Callable[[], None]:
        collector = TensorCollector(len(keys), on_done)
        cancels = [
            self._request_tensor(view, step_id, key, collector.receiver(n))
            for n, key in enumerate(keys)
        ]

        def withdraw() -> None:
            for cancel in cancels:
                cancel()

        return withdraw

    def close(self) -> None:
        """Ends all sessions and steps."""
        self._rendezvouses.end_all()
        self._partial_steps.close()
        with self._lock:
            sessions = [self._default, *self._sessions.values()]
            self._sessions.clear()
        for session in sessions:
            session.state.close()
        self.resources.close()
        self.view.channels.close()


def _job_name(name: str) -> str:
    """Returns the job in "/job:worker/replica:0/task:0"."""
    return name.split("/")[1].removeprefix("job:")


def _no_graph(graph_handle: str) -> AbortedError:
    return AbortedError(
        None,
        None,
        f"Graph handle is not found: {graph_handle}. Possibly, this worker just restarted.",
    )
