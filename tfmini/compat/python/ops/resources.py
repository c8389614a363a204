"""`tensorflow.python.ops.resources`: resources that are initialized like variables."""

from tfmini._src.variables.resources import (
    initialize_resources,
    local_resources,
    register_resource,
    report_uninitialized_resources,
    shared_resources,
)

__all__ = [
    "initialize_resources",
    "local_resources",
    "register_resource",
    "report_uninitialized_resources",
    "shared_resources",
]
