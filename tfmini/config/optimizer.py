"""tf.config.optimizer: how graphs are rewritten before they run."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.session.defaults import (
    get_experimental_options,
    get_jit,
    set_experimental_options,
    set_jit,
)

__all__ = [
    "get_experimental_options",
    "get_jit",
    "set_experimental_options",
    "set_jit",
]

_namespace(globals())
