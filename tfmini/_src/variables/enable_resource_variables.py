"""The default kind of variables, used if neither the call nor the variable scope specifies a kind."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated

_use_resource = False


def enable_resource_variables() -> None:
    """Makes resource variables the default kind."""
    global _use_resource
    _use_resource = True


@deprecated(None, "non-resource variables are not supported in the long term")
def disable_resource_variables() -> None:
    """Restores reference variables as the default kind."""
    global _use_resource
    _use_resource = False


def resource_variables_enabled() -> bool:
    """Whether resource variables are the default kind."""
    return _use_resource
