"""`tf.enable_eager_execution`: eager mode as the mode of a program."""

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
from tfmini._src.session.eager.execute import call_function, execute, place

SYNC = 0
ASYNC = 1


def enable_eager_execution(
    config: proto.ConfigProto | None = None,
    device_policy: int | None = None,
    execution_mode: int | None = None,
) -> None:
    """Makes ops run when they are called: their results are tensors with values.

    Called once, at the start of a program, before it has made nodes of a graph.

    Args:
      config: a `tf.ConfigProto` for the devices; they are shared by all that runs eagerly.
      device_policy: what is done with an input on another device than the op's, `tf.contrib.eager.DEVICE_PLACEMENT_*`:
        it is copied, with a warning for `WARN`; `EXPLICIT` refuses it, `SILENT_FOR_INT32` all but those of int32.
      execution_mode: `tf.contrib.eager.SYNC`, or `ASYNC`, which is accepted and runs ops as `SYNC` does, in order.

    Raises:
      TypeError: if `config` is no ConfigProto.
      ValueError: for another policy or mode; if the program has made nodes before; if options differ from those of an
        earlier call.

    Example:
      tf.enable_eager_execution()
      tf.constant(1.0) + 2.0  # <tf.Tensor: id=1, shape=(), dtype=float32, numpy=3.0>
    """
    _check(config, device_policy, execution_mode)
    if not modes.is_default and default_graph.has_default_graph():
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    _set_options(config, device_policy, execution_mode)
    install()


def install(by_default: bool = True) -> None:
    """Lets ops run eagerly: by default, or in blocks of `eager_mode` only."""
    modes.install(execute, call_function, place, by_default)


def eager_mode() -> AbstractContextManager[None]:
    """A block in eager mode, in any program."""
    install(by_default=False)
    return modes.eager_mode()


@contextmanager
def graph_mode() -> Iterator[None]:
    """A block in graph mode: nodes are added to the default graph."""
    with get_default_graph().as_default():
        yield


def disable_eager_execution() -> None:
    """Makes graph mode the mode of the program, as it is without `enable_eager_execution`."""
    modes.is_default = False


def _check(config: object, device_policy: object, mode: object) -> None:
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
    known = (current.config, current.device_policy, current.execution_mode)
    wanted = (config, device_policy, mode)
    if current.is_enabled and any(w is not None and w != k for w, k in zip(wanted, known)):
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
