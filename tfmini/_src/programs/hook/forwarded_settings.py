"""Settings that programs assign in a module of TensorFlow, forwarded to where tfmini reads them.

    from tensorflow.python.util import deprecation
    deprecation._PRINT_DEPRECATION_WARNINGS = False

Other attributes that a program sets stay on the module that it set them on.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names import deprecation
from tfmini._src.functions import control_flow_v2
from tfmini._src.graph.autograph_status import python_loops


class _ControlFlow:
    """Which control flow graphs are built with."""

    @property
    def enabled(self) -> bool:
        """Whether it is that of TensorFlow 2."""
        return control_flow_v2.control_flow_v2_enabled()

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        control_flow_v2.set_control_flow_v2(enabled)


class _EagerContext:
    """The context of eager execution, loaded where a program asks for it."""

    @property
    def current(self) -> Any:
        """The context; None if there is none yet."""
        return pkgutil.resolve_name("tfmini._src.session.eager.context:current_context")()

    @current.setter
    def current(self, context: None) -> None:
        pkgutil.resolve_name("tfmini._src.session.eager.context:drop_context")()


# By the path of a module and the name of the attribute, what has it and what it is called there.
FORWARDED: Mapping[str, Mapping[str, tuple[Any, str]]] = {
    "python.autograph.operators.control_flow": {
        "PYTHON_MAX_ITERATIONS": (python_loops, "most_iterations"),
    },
    "python.eager.context": {"_context": (_EagerContext(), "current")},
    "python.ops.control_flow_util": {"ENABLE_CONTROL_FLOW_V2": (_ControlFlow(), "enabled")},
    "python.util.deprecation": {"_PRINT_DEPRECATION_WARNINGS": (deprecation, "_warn")},
    "python.platform.tf_logging": {
        name: (logs, name) for name in ("debug", "error", "fatal", "info", "warn", "warning")
    },
}
