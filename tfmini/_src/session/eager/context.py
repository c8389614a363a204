"""Eager context: devices, variables and other resources, and options."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.devices.registry import KINDS
from tfmini._src.functions.library_functions import functions_in_use
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.default_graph import eager_function_library, get_default_graph
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.session import default_config, physical_devices
from tfmini._src.session.base_session import BaseSession, open_sessions
from tfmini._src.session.eager.executor import Executor

_TASK = "/job:localhost/replica:0/task:0/"
DEFAULT_DEVICE = f"{_TASK}device:CPU:0"


class Context:
    """Devices and state of eager ops; one per process.

    Attributes:
      session: owns the devices and op state, as a graph-mode session does.
      library: the graph that holds the function library.
    """

    def __init__(
        self,
        config: proto.ConfigProto | None = None,
        device_policy: int | None = None,
        execution_mode: int | None = None,
    ) -> None:
        self.library = eager_function_library()
        self.config = config
        # defaults: DEVICE_PLACEMENT_SILENT and SYNC
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
                    template = self.config
                    if template is None:
                        template = default_config.default_config()
                    if template is not None:
                        config.CopyFrom(template)
                    config.allow_soft_placement = True
                    self._session = BaseSession("", self.library, config)
                    open_sessions.discard(self._session)  # exempt from `tf.Session.reset`
                    default_config.freeze()
        return self._session

    # Public API -------------------------------------------------------------------------------

    summary_writer = None
    summary_step = None
    summary_recording = None

    @property
    def intra_op_parallelism_threads(self) -> int:
        """Maximum number of threads per kernel; 0 lets tfmini choose."""
        return default_config.get_intra_op_parallelism_threads()

    @property
    def inter_op_parallelism_threads(self) -> int:
        """The configured number of concurrent operations; 0 if not set."""
        return default_config.get_inter_op_parallelism_threads()

    @property
    def log_device_placement(self) -> bool:
        """Whether node placement is logged."""
        return default_config.get_log_device_placement()

    @log_device_placement.setter
    def log_device_placement(self, enabled: bool) -> None:
        default_config.set_log_device_placement(enabled)

    @property
    def soft_device_placement(self) -> bool:
        """Whether nodes that cannot run on the requested device are moved."""
        return default_config.get_soft_device_placement()

    @soft_device_placement.setter
    def soft_device_placement(self, enabled: bool) -> None:
        default_config.set_soft_device_placement(enabled)

    @property
    def optimizer_jit(self) -> bool:
        """Whether XLA is enabled."""
        return default_config.get_jit()

    def get_optimizer_experimental_options(self) -> dict[str, bool]:
        """Returns the graph-rewriting options."""
        return default_config.get_experimental_options()

    def executing_eagerly(self) -> bool:
        """Whether ops run immediately in this thread."""
        return executing_eagerly()

    in_eager_mode = executing_eagerly

    def in_graph_mode(self) -> bool:
        """Whether ops add nodes to a graph in this thread."""
        return not executing_eagerly()

    def num_gpus(self) -> int:
        """Returns the number of GPUs."""
        return sum(device.device_type == "GPU" for device in self.session.list_devices())

    def device_named(self, requested: str) -> str:
        """Returns the full device name for a device string; the device need not exist."""
        spec = DeviceSpec.from_string(DEFAULT_DEVICE).make_merged_spec(
            DeviceSpec.from_string(requested)
        )
        name: str = spec.to_string().replace(":*", ":0")
        return name

    def device_for(self, op_type: str, requested: str) -> str:
        """Returns the full name of an op's device, or the CPU's; raises InvalidArgumentError for another task's."""
        name, devices = self.device_named(requested), self.devices()
        if name in devices:
            return name
        if name.startswith(_TASK):
            return DEFAULT_DEVICE
        invalid(
            f"Could not satisfy device specification '{name}'. All available devices [{', '.join(devices)}]. "
            f"Eager operation: Name: {op_type}\nDevice Name: [{name}]\nDevice: []\n"
        )

    def has_device_for(self, dtype: DType, requested: str) -> bool:
        """Whether new values of a dtype move to the current device (int32 does not); raises RuntimeError if missing."""
        name = self.device_named(requested)
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
        """Lists the full device names."""
        return [device.name for device in self.session.list_devices()]

    def has_function(self, name: str | bytes) -> bool:
        """Whether the library contains a function with this name."""
        return to_str(name) in self.library._functions or to_str(name) in functions_in_use

    @property
    def device_name(self) -> str:
        """Full name of the device requested by the open device scopes; "" if none."""
        requested = requested_device()
        return self.device_named(requested) if requested else ""

    @property
    def device_spec(self) -> DeviceSpec:
        """The requested device as a DeviceSpec."""
        return DeviceSpec.from_string(self.device_name)

    def device(self, name: str | None) -> AbstractContextManager[None]:
        """Context manager that places ops on a device, like `tf.device`.

        Raises:
          ValueError: if the name is neither a string nor None.
        """
        if name is not None and not isinstance(name, str):
            raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
        return get_default_graph().device(name)

    @property
    def scope_name(self) -> str:
        """Current name scope with a trailing slash; "" at top level."""
        name = get_default_graph().get_name_scope()
        return f"{name}/" if name else ""

    def ensure_initialized(self) -> None:
        """Initializes the devices if necessary."""
        assert self.session

    @property
    def is_initialized(self) -> bool:
        """Whether the devices are initialized and options are frozen."""
        return self._session is not None


class _PlacementStub:
    """Stand-in node for evaluating device scopes in eager mode."""

    device = ""
    type = name = ""


def requested_device() -> str:
    """Returns the device requested by the open device scopes; "" if none."""
    scopes = get_default_graph()._blocks.devices
    if not scopes:
        return ""
    device = ""
    stand_in: Any = _PlacementStub()
    for scope in reversed(scopes):
        if scope.clears_device:
            break
        stand_in.device = device
        device = scope.apply(stand_in)
    return device


_context: list[Context] = []
# Called when the context is dropped: plans compiled for its session must not outlive it.
drop_callbacks: list[Callable[[], None]] = []


def context() -> Context:
    """Returns the process's context, created on first use."""
    if not _context:
        _context.append(Context())
    return _context[0]


def num_gpus() -> int:
    """Returns the number of GPUs available to eager ops."""
    return context().num_gpus()


def list_devices() -> list[str]:
    """Lists the full names of the devices available to eager ops."""
    return context().devices()


def current_context() -> Context | None:
    """Returns the process's context; None if it has not been created."""
    return _context[0] if _context else None


def drop_context() -> None:
    """Drops the context with its variables and resets `tf.config`, as in a new process."""
    _set_context([])
    default_config.forget()
    physical_devices.forget()


def reset_context(config: proto.ConfigProto | None = None) -> Context:
    """Replaces the context with a new one; variables are lost."""
    new_context = Context(config)
    _set_context([new_context])
    return new_context


def _set_context(process_contexts: list[Context]) -> None:
    _context[:] = process_contexts
    for forget in drop_callbacks:
        forget()
