"""`tf.enable_eager_execution`: turns on eager mode for a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from tfmini._src.base import proto
from tfmini._src.graph import default_graph
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import execution_mode as modes
from tfmini._src.session.eager import context
from tfmini._src.session.eager.device_policies import (
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_SILENT_FOR_INT32,
    DEVICE_PLACEMENT_WARN,
)
from tfmini._src.session.eager.execute import call_function, execute, place_tensor

SYNC = 0
ASYNC = 1


def enable_eager_execution(
    config: proto.ConfigProto | None = None,
    device_policy: int | None = None,
    execution_mode: int | None = None,
) -> None:
    """Makes ops run immediately and return tensors with values.

    Call it once, at program startup, before creating any graph nodes, or after `tf.reset_default_graph()`.

    Args:
      config: a `tf.ConfigProto` for the devices, which all eager code shares.
      device_policy: a `tf.contrib.eager.DEVICE_PLACEMENT_*` value for inputs on a device other than the op's: `SILENT`
        copies them, `WARN` copies with a warning, `EXPLICIT` raises, `SILENT_FOR_INT32` copies int32 only.
      execution_mode: `tf.contrib.eager.SYNC` or `ASYNC`; `ASYNC` is accepted but runs ops in order, like `SYNC`.

    Raises:
      TypeError: if `config` is not a ConfigProto.
      ValueError: for an unknown policy or mode; if graph nodes already exist; if options differ from those of an
        earlier call.

    Example:
      tf.enable_eager_execution()
      tf.constant(1.0) + 2.0  # <tf.Tensor: id=1, shape=(), dtype=float32, numpy=3.0>
    """
    _check_options(config, device_policy, execution_mode)
    if not modes.is_default and default_graph.has_default_graph():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    _set_options(config, device_policy, execution_mode)
    install()


def install(by_default: bool = True) -> None:
    """Installs the eager executor: by default, or for `eager_mode` blocks only."""
    modes.install(execute, call_function, place_tensor, by_default)


def eager_mode() -> AbstractContextManager[None]:
    """Context manager for eager mode, available in any program."""
    install(by_default=False)
    return modes.eager_mode()


@contextmanager
def graph_mode() -> Iterator[None]:
    """Context manager for graph mode: ops add nodes to the default graph."""
    with get_default_graph().as_default():
        yield


def disable_eager_execution() -> None:
    """Restores graph mode, the default."""
    modes.is_default = False


def _check_options(config: object, device_policy: object, mode: object) -> None:
    if config is not None and not isinstance(config, proto.ConfigProto):
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if device_policy not in (
        None,
        DEVICE_PLACEMENT_EXPLICIT,
        DEVICE_PLACEMENT_WARN,
        DEVICE_PLACEMENT_SILENT,
        DEVICE_PLACEMENT_SILENT_FOR_INT32,
    ):
        raise ValueError("device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_*")
    if mode not in (None, SYNC, ASYNC):
        raise ValueError(
            "execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC"
        )


def _set_options(
    config: proto.ConfigProto | None, device_policy: int | None, mode: int | None
) -> None:
    current = context.context()
    existing = (current.config, current.device_policy, current.execution_mode)
    requested = (config, device_policy, mode)
    if current.is_enabled and any(w is not None and w != k for w, k in zip(requested, existing)):
        raise ValueError(
            "Trying to change the options of an active eager execution. Context config: "
            f"{current.config}, specified config: {config}. Context device policy: {current.device_policy}, "
            f"specified device policy: {device_policy}. Context execution mode: {current.execution_mode},  "
            f"specified execution mode {mode}."
        )
    if not current.is_enabled:
        current.config = config
        current.device_policy = DEVICE_PLACEMENT_SILENT if device_policy is None else device_policy
        current.execution_mode = mode or SYNC
        current.is_enabled = True
