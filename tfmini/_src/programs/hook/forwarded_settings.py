"""Settings that programs assign in a module of TensorFlow, forwarded to where tfmini reads them.

    from tensorflow.python.util import deprecation
    deprecation._PRINT_DEPRECATION_WARNINGS = False

Other attributes that a program sets stay on the module that it set them on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from tfmini._src.base import logs
from tfmini._src.base.names import deprecation

# By the path of a module and the name of the attribute, the module that has it and what it is called there.
FORWARDED: Mapping[str, Mapping[str, tuple[ModuleType, str]]] = {
    "python.util.deprecation": {"_PRINT_DEPRECATION_WARNINGS": (deprecation, "_warn")},
    "python.platform.tf_logging": {
        name: (logs, name) for name in ("debug", "error", "fatal", "info", "warn", "warning")
    },
}
