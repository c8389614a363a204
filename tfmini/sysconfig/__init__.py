"""`tf.sysconfig`: what is asked for ops in C++ to be compiled, of which tfmini loads none."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.sysconfig.compilation import (
    get_compile_flags,
    get_include,
    get_lib,
    get_link_flags,
)

CXX11_ABI_FLAG = MONOLITHIC_BUILD = 0

__all__ = [
    "CXX11_ABI_FLAG",
    "MONOLITHIC_BUILD",
    "get_compile_flags",
    "get_include",
    "get_lib",
    "get_link_flags",
]

_namespace(globals())
