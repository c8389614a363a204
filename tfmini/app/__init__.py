"""`tf.app`: a program's `main`, run with its flags parsed."""

from tfmini import flags
from tfmini.app.running import run
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "flags",
    "run",
]

_namespace(globals())
