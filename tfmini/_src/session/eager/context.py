"""The context of eager execution: its devices, its variables and other resources, and its seeds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.locks import make_rlock
from tfmini._src.devices.registry import KINDS
from tfmini._src.functions.written import written_functions
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.default_graph import eager_library, get_default_graph
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.session import default_config, physical_devices
from tfmini._src.session.base_session import BaseSession, open_sessions
from tfmini._src.session.eager.executor import Executor

_TASK = "/job:localhost/replica:0/task:0/"
DEFAULT_DEVICE = f"{_TASK}device:CPU:0"


class Context:
    """The devices and the state on which eager ops run; there is one in a process.

    Attributes:
      session: has the devices and keeps the state of ops, as sessions of graph mode do.
      library: the graph in whose library functions are.
    """

    def __init__(
        self,
        config: proto.ConfigProto | None = None,
        device_policy: int | None = None,
        execution_mode: int | None = None,
    ) -> None:
        self.library = eager_library()
        self.config = config
        # DEVICE_PLACEMENT_SILENT and SYNC, without
        self.device_policy = 2 if device_policy is None else device_policy
        self.execution_mode: int | None = execution_mode or 0
        self.executor = Executor()
        self.is_enabled = False
        self.lock = make_rlock()
        self._session: BaseSession | None = None

    @property
    def session(self) -> BaseSession:
        if self._session is None:
            with self.lock:
                if self._session is None:
                    config = proto.ConfigProto()
                    given = self.config
                    if given is None:
                        given = default_config.default_config()
                    if given is not None:
                        config.CopyFrom(given)
                    config.allow_soft_placement = True
                    self._session = BaseSession("", self.library, config)
                    open_sessions.discard(self._session)  # `tf.Session.reset` does not concern it
                    default_config.hold()
        return self._session

    # As programs ask it -----------------------------------------------------------------------

    summary_writer = None
    summary_step = None
    summary_recording = None

    @property
    def intra_op_parallelism_threads(self) -> int:
        """The number of threads that a kernel may use."""
        return default_config.get_intra_op_parallelism_threads()

    @property
    def inter_op_parallelism_threads(self) -> int:
        """The number of operations that may run concurrently."""
        return default_config.get_inter_op_parallelism_threads()

    @property
    def log_device_placement(self) -> bool:
        """Whether placements are logged."""
        return default_config.get_log_device_placement()

    @log_device_placement.setter
    def log_device_placement(self, enabled: bool) -> None:
        default_config.set_log_device_placement(enabled)

    @property
    def soft_device_placement(self) -> bool:
        """Whether nodes may run on another device than they ask for."""
        return default_config.get_soft_device_placement()

    @soft_device_placement.setter
    def soft_device_placement(self, enabled: bool) -> None:
        default_config.set_soft_device_placement(enabled)

    @property
    def optimizer_jit(self) -> bool:
        """Whether XLA has been asked for."""
        return default_config.get_jit()

    def get_optimizer_experimental_options(self) -> dict[str, bool]:
        """The options for the rewriting of graphs."""
        return default_config.get_experimental_options()

    def executing_eagerly(self) -> bool:
        """Whether ops run at once in this thread."""
        return executing_eagerly()

    in_eager_mode = executing_eagerly

    def in_graph_mode(self) -> bool:
        """Whether ops add nodes to a graph in this thread."""
        return not executing_eagerly()

    def num_gpus(self) -> int:
        """The number of GPUs."""
        return sum(device.device_type == "GPU" for device in self.session.list_devices())

    def device_named(self, asked: str) -> str:
        """The full name of the device that a device string names, whether it is there or not."""
        spec = DeviceSpec.from_string(DEFAULT_DEVICE).make_merged_spec(
            DeviceSpec.from_string(asked)
        )
        name: str = spec.to_string().replace(":*", ":0")
        return name

    def device_for(self, op_type: str, asked: str) -> str:
        """The full name of the device on which an op runs: the CPU, for one that this process has not.

        Raises:
          InvalidArgumentError: for one of another task.
        """
        name, devices = self.device_named(asked), self.devices()
        if name in devices:
            return name
        if name.startswith(_TASK):
            return DEFAULT_DEVICE
        raise InvalidArgumentError(
            None,
            None,
            f"Could not satisfy device specification '{name}'. All available devices [{', '.join(devices)}]. "
            f"Eager operation: Name: {op_type}\nDevice Name: [{name}]\nDevice: []\n",
        )

    def has_device_for(self, dtype: DType, asked: str) -> bool:
        """Whether new values of a dtype are moved to a device: those of int32 stay in this task's memory.

        Raises:
          RuntimeError: if there is no such device.
        """
        name = self.device_named(asked)
        if dtype is dtypes.int32 and name.startswith(_TASK):
            return False
        if name not in self.devices():
            error = RuntimeError(f"{name} unknown device.")
            device_type = name.rpartition("device:")[2].partition(":")[0]
            is_absent = not any(f"device:{device_type}:" in device for device in self.devices())
            kind = KINDS.get(device_type) if is_absent else None
            raise error if kind is None else kind.with_reason(error)
        return True

    def devices(self) -> list[str]:
        """The full names of the devices."""
        return [device.name for device in self.session.list_devices()]

    def has_function(self, name: str | bytes) -> bool:
        """Whether there is a function of this name."""
        return to_str(name) in self.library._functions or to_str(name) in written_functions

    @property
    def device_name(self) -> str:
        """The full name of the device that the open blocks ask for; "" without."""
        asked = asked_device()
        return self.device_named(asked) if asked else ""

    @property
    def device_spec(self) -> DeviceSpec:
        """That device, part by part."""
        return DeviceSpec.from_string(self.device_name)

    def device(self, name: str | None) -> AbstractContextManager[None]:
        """A block in which ops run on a device, as `tf.device` opens it.

        Raises:
          ValueError: if the name is no string.
        """
        if name is not None and not isinstance(name, str):
            raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
        return get_default_graph().device(name)

    @property
    def scope_name(self) -> str:
        """The name scope, with a slash at its end; "" without."""
        name = get_default_graph().get_name_scope()
        return f"{name}/" if name else ""

    def ensure_initialized(self) -> None:
        """Makes sure that the devices are in use."""
        assert self.session

    @property
    def is_initialized(self) -> bool:
        """Whether its devices are in use: options can no longer change."""
        return self._session is not None


class _Placed:
    """A node as device blocks see it, for an op that has none."""

    device = ""
    type = name = ""


def asked_device() -> str:
    """The device that the open blocks ask for, "" if none does."""
    scopes = get_default_graph()._blocks.devices
    if not scopes:
        return ""
    device = ""
    stand_in: Any = _Placed()
    for scope in reversed(scopes):
        if scope.stops:
            break
        stand_in.device = device
        device = scope.apply(stand_in)
    return device


_context: list[Context] = []
# Called when the context goes: what is compiled for its session must not outlive it.
when_dropped: list[Callable[[], None]] = []


def context() -> Context:
    """The context of this process, made when it is first asked for."""
    if not _context:
        _context.append(Context())
    return _context[0]


def num_gpus() -> int:
    """The number of GPUs that eager ops may run on."""
    return context().num_gpus()


def list_devices() -> list[str]:
    """The full names of the devices that eager ops may run on."""
    return context().devices()


def current_context() -> Context | None:
    """The context of this process; None if nothing has asked for it."""
    return _context[0] if _context else None


def drop_context() -> None:
    """Forgets the context, its variables and the options of `tf.config`: the next one is like that of a new process."""
    _put([])
    default_config.forget()
    physical_devices.forget()


def reset_context(config: proto.ConfigProto | None = None) -> Context:
    """A new context in place of the old one, whose variables are gone."""
    made = Context(config)
    _put([made])
    return made


def _put(of_process: list[Context]) -> None:
    _context[:] = of_process
    for forget in when_dropped:
        forget()
