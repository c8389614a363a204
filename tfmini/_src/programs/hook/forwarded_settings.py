"""Attributes assigned by programs in TensorFlow modules, forwarded to the modules where tfmini reads them.

    from tensorflow.python.util import deprecation
    deprecation._PRINT_DEPRECATION_WARNINGS = False

Other assigned attributes are set on the module itself.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names import deprecation
from tfmini._src.base.names.lazy_imports import LazyModule
from tfmini._src.base.names.load_module import load_module
from tfmini._src.functions import control_flow_v2
from tfmini._src.graph.autograph_status import python_loops
from tfmini._src.nn.layers.backend import config


class _Switch:
    """A switch between TensorFlow 1 and 2 behavior, given its functions."""

    def __init__(self, get: Callable[[], bool], set_to: Callable[[bool], None]):
        self._get, self._set_to = get, set_to

    @property
    def enabled(self) -> bool:
        """Whether the switch is set to TensorFlow 2 behavior."""
        return self._get()

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._set_to(enabled)


class _EagerContext:
    """The eager context, loaded on access."""

    @property
    def current(self) -> Any:
        """The context; None if not created yet."""
        return pkgutil.resolve_name("tfmini._src.session.eager.context:current_context")()

    @current.setter
    def current(self, context: None) -> None:
        pkgutil.resolve_name("tfmini._src.session.eager.context:drop_context")()


def _lazy_module(name: str) -> LazyModule:
    return LazyModule(partial(load_module, name), name)


# By module path and attribute name: the target object and its attribute name.
FORWARDED_SETTINGS: Mapping[str, Mapping[str, tuple[Any, str]]] = {
    "python.autograph.operators.control_flow": {
        "PYTHON_MAX_ITERATIONS": (python_loops, "max_iterations"),
    },
    "python.eager.context": {"_context": (_EagerContext(), "current")},
    "python.keras.engine.base_layer_utils": {
        "V2_DTYPE_BEHAVIOR": (
            _Switch(config.v2_dtype_behavior_enabled, config.set_v2_dtype_behavior),
            "enabled",
        ),
    },
    "python.ops.control_flow_util": {
        "ENABLE_CONTROL_FLOW_V2": (
            _Switch(control_flow_v2.control_flow_v2_enabled, control_flow_v2.set_control_flow_v2),
            "enabled",
        ),
    },
    "python.ops.summary_op_util": {
        "summary_scope": (_lazy_module("tfmini._src.ops.summaries.summary_scope"), "summary_scope"),
    },
    "python.training.device_setter": {
        "_RoundRobinStrategy": (_lazy_module("tfmini._src.cluster.device_setter"), "RoundRobin"),
    },
    "python.util.deprecation": {"_PRINT_DEPRECATION_WARNINGS": (deprecation, "_warn")},
    "python.platform.tf_logging": {
        name: (logs, name) for name in ("debug", "error", "fatal", "info", "warn", "warning")
    },
}
