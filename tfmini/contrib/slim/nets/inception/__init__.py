"""All versions of Inception under one name."""

from tfmini.contrib.slim.nets.inception_v1 import (
    inception_v1,
    inception_v1_arg_scope,
    inception_v1_base,
)
from tfmini.contrib.slim.nets.inception_v2 import (
    inception_v2,
    inception_v2_arg_scope,
    inception_v2_base,
)
from tfmini.contrib.slim.nets.inception_v3 import (
    inception_v3,
    inception_v3_arg_scope,
    inception_v3_base,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "inception_v1",
    "inception_v1_arg_scope",
    "inception_v1_base",
    "inception_v2",
    "inception_v2_arg_scope",
    "inception_v2_base",
    "inception_v3",
    "inception_v3_arg_scope",
    "inception_v3_base",
]

_namespace(globals())
