"""A server's master: the sessions of its clients, and the tasks that run their steps."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import (
    AbortedError,
    CancelledError,
    DeadlineExceededError,
    UnavailableError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.addresses import reachable_tasks, task_addresses
from tfmini._src.cluster.grpc_channel import WORKER, Channel
from tfmini._src.cluster.limits import check_sessions
from tfmini._src.cluster.master_session import MasterSession
from tfmini._src.cluster.remote_worker import RemoteWorker
from tfmini._src.cluster.task_view import TaskView, rename_devices
from tfmini._src.cluster.worker import Worker
from tfmini._src.devices.attributes import DeviceAttributes, attributes_to_device

# Seconds between log messages of a session that waits for tasks.
WAITING_SECONDS = 10.0
_PAUSE_SECONDS = 0.2


class Master:
    """The master of a server; `config` is the ConfigProto of sessions without one, or None."""

    def __init__(self, worker: Worker, cluster: Any, config: Any = None):
        self.worker = worker
        self._tasks = list(task_addresses(cluster))
        self._config = config
        self._sessions: dict[str, MasterSession] = {}
        self._lock = make_lock()

    def create_session(
        self,
        graph_def: Any,
        config: Any,
        is_alive: Callable[[], bool] = lambda: True,
        target: str = "",
    ) -> tuple[str, int]:
        """Creates a session once all its tasks have answered; returns its handle and the graph version.

        is_alive: whether the client is still waiting.
        target: the address by which the client reached this server, looked up in its own `cluster_def`.

        Raises:
          InvalidArgumentError: if the server is missing from that cluster or listed twice, or the graph is
            inconsistent.
          ResourceExhaustedError: if there are too many sessions, or the graph is too large.
        """
        if self._config is not None:
            merged = proto.ConfigProto()
            merged.CopyFrom(self._config)
            merged.MergeFrom(config)
            config = merged
        tasks, cluster, view = self._tasks, None, self.worker.view
        if config.cluster_def.job:
            cluster = config.cluster_def
            view = self._own_view(cluster, target)
            tasks = list(task_addresses(cluster))
        tasks = [t for t in reachable_tasks(tasks, config.device_filters) if t != view.name]
        tasks.append(view.name)  # regardless of the filters
        limit = max(0, config.operation_timeout_in_ms) / 1000
        devices, workers = self._devices(view, tasks, is_alive, limit)
        handle = secrets.token_hex(8)
        session = MasterSession(handle, devices, workers, config, view)
        with self._lock:
            check_sessions(len(self._sessions))
            self._sessions[handle] = session
        try:
            session.open(cluster)
            version = session.extend(graph_def, -1)
        except BaseException:
            self.close_session(handle)
            raise
        logs.info("Start master session %s with config: %s", handle, " ".join(str(config).split()))
        return handle, version

    def _own_view(self, cluster: Any, target: str) -> TaskView:
        """Returns the view of this task in a session's own cluster."""
        address = target.removeprefix("grpc://")
        addresses = task_addresses(cluster)
        matches = [task for task, own_address in addresses.items() if own_address == address]
        if len(matches) != 1:
            invalid(
                f"The cluster_def of the session has {len(matches) or 'no'} tasks at {address}, "
                "the address of this server"
            )
        return self.worker.renamed(matches[0], addresses)

    def _devices(
        self,
        view: TaskView,
        tasks: Sequence[str],
        is_alive: Callable[[], bool],
        limit: float = 0.0,
    ) -> tuple[list[DeviceAttributes], dict[str, Worker | RemoteWorker]]:
        """Returns the tasks' devices, this server's first, and their workers; `limit` is in seconds, 0 for none."""
        deadline = monotonic() + limit if limit else None
        devices_by_task: dict[str, list[DeviceAttributes]] = {}
        workers: dict[str, Worker | RemoteWorker] = {}
        replies: SimpleQueue[Any] = SimpleQueue()
        cancels = []
        request = proto.GetStatusRequest().SerializeToString()
        for task in tasks:
            if task == view.name:
                devices_by_task[task] = view.devices
                workers[task] = self.worker
                continue
            channel = view.channels.channel_to(task)
            workers[task] = RemoteWorker(task, channel)
            cancels.append(_request_devices(channel, request, replies, task))
        try:
            while len(devices_by_task) < len(tasks):
                try:
                    wait = WAITING_SECONDS
                    if deadline is not None:
                        wait = min(wait, max(0.0, deadline - monotonic()))
                    task, reply, error = replies.get(timeout=wait)
                except Empty:
                    for missing in sorted(set(tasks) - set(devices_by_task)):
                        logs.warning(
                            "CreateSession still waiting for response from worker: %s", missing
                        )
                    if not is_alive():
                        raise CancelledError(None, None, "The client disconnected") from None
                    if deadline is not None and monotonic() >= deadline:
                        raise DeadlineExceededError(None, None, "Deadline Exceeded") from None
                    for missing in set(tasks) - set(devices_by_task):
                        view.channels.channel_to(missing).check()
                    continue
                # The client has disappeared in the meantime.
                if isinstance(error, UnavailableError):
                    sleep(_PAUSE_SECONDS)
                    cancels.append(
                        _request_devices(view.channels.channel_to(task), request, replies, task)
                    )
                    continue
                if error is not None:
                    raise error
                attributes = proto.GetStatusResponse.FromString(reply).device_attributes
                devices_by_task[task] = rename_devices(
                    [attributes_to_device(attrs) for attrs in attributes], task
                )
        finally:
            for cancel in cancels:
                cancel()
        order = sorted(devices_by_task, key=lambda task: (task != view.name, task))
        return [device for task in order for device in devices_by_task[task]], workers

    def session(self, handle: str) -> MasterSession:
        """Returns the session with a handle; raises AbortedError for an unknown handle, e.g. after a restart."""
        session = self._sessions.get(handle)
        if session is None:
            raise AbortedError(None, None, f"Session {handle} is not found.")
        return session

    def close_session(self, handle: str) -> None:
        """Closes a session and cancels its running steps."""
        with self._lock:
            session = self._sessions.pop(handle, None)
        if session is None:
            raise AbortedError(None, None, _unknown_session_message(handle))
        session.close()

    def list_devices(self, handle: str) -> tuple[list[DeviceAttributes], list[DeviceAttributes]]:
        """Returns the devices of this server and of other tasks: a session's tasks, or all if `handle` is ""."""
        if handle:
            session = self._sessions.get(handle)
            if session is None:
                invalid(_unknown_session_message(handle))
            devices = session.devices
        else:
            devices, _ = self._devices(self.worker.view, self._tasks, lambda: True)
        local_names = set(self.worker.incarnations)
        return (
            [device for device in devices if device.name in local_names],
            [device for device in devices if device.name not in local_names],
        )

    def reset(self, containers: Sequence[str], filters: Sequence[str]) -> None:
        """Clears resource containers on all tasks, and closes all sessions."""
        with self._lock:
            sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            session.close()
        for task in reachable_tasks(self._tasks, filters):
            if task == self.worker.name:
                self.worker.clean_up_all(containers)
            else:
                RemoteWorker(task, self.worker.view.channels.channel_to(task)).clean_up_all(
                    containers
                )

    def close(self) -> None:
        """Closes all sessions."""
        with self._lock:
            sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            session.close()


def _unknown_session_message(handle: str) -> str:
    return f"Session {handle} is not found. Possibly, this master has restarted."


def _request_devices(channel: Channel, request: bytes, replies: SimpleQueue[Any], task: str) -> Any:
    """Requests a task's devices once it is up; returns a cancel function."""

    def on_reply(reply: bytes | None, error: BaseException | None) -> None:
        replies.put((task, reply, error))

    return channel.begin(f"{WORKER}GetStatus", request, on_reply, waits=True)
