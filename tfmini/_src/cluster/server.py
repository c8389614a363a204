"""`tf.train.Server`: a task of a cluster in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import InternalError, NotFoundError, invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.addresses import parse_port, task_addresses, task_name
from tfmini._src.cluster.allowed_ops import forbidden_rules
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.cluster.grpc_server import Service, Threads
from tfmini._src.cluster.limits import current as current_limits
from tfmini._src.cluster.master import Master
from tfmini._src.cluster.master_service import MasterService
from tfmini._src.cluster.master_stub import LOCAL
from tfmini._src.cluster.worker import Worker
from tfmini._src.cluster.worker_service import WorkerService
from tfmini._src.formats.system_errors import translate_errors


def make_server_def(
    server_or_cluster_def: Any,
    job_name: str | None,
    task_index: int | None,
    protocol: str | None,
    config: Any,
) -> Any:
    """Builds a ServerDef from the arguments of `Server`."""
    definition = server_or_cluster_def
    server_def = proto.ServerDef()
    if isinstance(definition, proto.ServerDef):
        server_def.MergeFrom(definition)
        if job_name is not None:
            server_def.job_name = job_name
        if task_index is not None:
            server_def.task_index = task_index
        if protocol is not None:
            server_def.protocol = protocol
        if config is not None:
            server_def.default_session_config.MergeFrom(config)
        return server_def
    try:
        cluster = ClusterSpec(definition)
    except TypeError:
        raise TypeError(
            "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
        ) from None
    if job_name is None:
        if len(cluster.jobs) != 1:
            raise ValueError("Must specify an explicit `job_name`.")
        (job_name,) = cluster.jobs
    if task_index is None:
        task_indices = cluster.task_indices(job_name)
        if len(task_indices) != 1:
            raise ValueError("Must specify an explicit `task_index`.")
        (task_index,) = task_indices
    server_def.cluster.CopyFrom(cluster.as_cluster_def())
    server_def.job_name = job_name
    server_def.task_index = task_index
    server_def.protocol = "grpc" if protocol is None else protocol
    if config is not None:
        server_def.default_session_config.CopyFrom(config)
    return server_def


class Server:
    """A task of a cluster: runs the graph nodes placed on its devices, and its clients' sessions.

    Args:
      server_or_cluster_def: a ServerDef, or the cluster: a `tf.train.ClusterSpec` or an argument to construct one.
      job_name: the task's job; by default the ServerDef's, or the only one.
      task_index: the task's index in the job; by default the ServerDef's, or the only one.
      protocol: must be "grpc".
      config: default ConfigProto of its sessions.
      start: whether to start serving immediately.

    Raises:
      ValueError: if the job name or task index is ambiguous.
      InvalidArgumentError, NotFoundError: if the task is not in the cluster, or for any other protocol.
      UnknownError: if it cannot bind its address.

    Example:
      cluster = tf.train.ClusterSpec({"ps": ["a:2222"], "worker": ["b:2222"]})
      server = tf.train.Server(cluster, job_name="ps", task_index=0)
      server.join()
    """

    server_def: Any = read_only("The ServerDef of this server.")
    target: str = read_only('The target for sessions: "grpc://localhost:2222".')

    def __init__(
        self,
        server_or_cluster_def: proto.ServerDef | proto.ClusterDef | ClusterSpec | Mapping[str, Any],
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: proto.ConfigProto | None = None,
        start: bool = True,
    ):
        self._server_def = make_server_def(
            server_or_cluster_def, job_name, task_index, protocol, config
        )
        definition = self._server_def
        if definition.protocol != "grpc":
            raise _no_factory(definition)
        name = task_name(definition.job_name, definition.task_index)
        tasks = task_addresses(definition.cluster)
        if definition.job_name not in [job.name for job in definition.cluster.job]:
            text = f'Job "{definition.job_name}" was not defined in cluster'
            raise InternalError(None, None, text)
        if name not in tasks:
            invalid(f'Task {definition.task_index} was not defined in job "{definition.job_name}"')
        forbidden_rules()  # reports an invalid setting here
        current_limits()
        address = tasks[name]
        parse_port(address)
        self._config = (
            definition.default_session_config
            if definition.HasField("default_session_config")
            else None
        )
        self._worker = Worker(name, tasks, self._config)
        self._master = Master(self._worker, definition.cluster, self._config)
        threads = Threads()
        with translate_errors(address):  # possibly out of file descriptors
            master_handlers = MasterService(self._master, threads.submit)
            worker_handlers = WorkerService(self._worker, threads.submit)
            methods = {**master_handlers.methods, **worker_handlers.methods}
            later_handlers = {**master_handlers.later, **worker_handlers.later}
            direct_handlers = {**master_handlers.direct_handlers, **worker_handlers.direct_handlers}
            self._service = Service(address, methods, later_handlers, direct_handlers, threads)
        self._target = f"grpc://localhost:{self._service.port}"
        self._is_started = False
        LOCAL[self._target] = self._master
        if start:
            self.start()

    def start(self) -> None:
        """Starts serving, unless already started."""
        if not self._is_started:
            self._is_started = True
            self._service.start()
            logs.info("Started server with target: %s", self._target)

    def join(self) -> None:
        """Blocks forever: the server ends with its process."""
        self._service.wait()

    @staticmethod
    def create_local_server(config: proto.ConfigProto | None = None, start: bool = True) -> Server:
        """Returns a one-task cluster in this process, on a free port.

        Args:
          config: default ConfigProto of its sessions.
          start: whether to start serving immediately.

        Example:
          server = tf.train.Server.create_local_server()
          with tf.Session(server.target) as sess:
              print(sess.run(tf.constant("Hello")))
        """
        cluster = ClusterSpec({"local": ["localhost:0"]})
        return Server(cluster, protocol="grpc", config=config, start=start)

    def _stop(self) -> None:
        """Stops the server, for tests; TensorFlow's servers cannot be stopped."""
        LOCAL.pop(self._target, None)
        self._master.close()
        self._worker.close()
        self._service.stop()


def _no_factory(definition: Any) -> Exception:
    return NotFoundError(
        None,
        None,
        f"No server factory registered for the given ServerDef: {definition}\nThe available server factories are: "
        "[ GRPC_SERVER ]",
    )
