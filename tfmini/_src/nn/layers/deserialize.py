"""Resolution of names and configurations to objects, such as layers and their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tfmini._src.nn.layers.custom_objects import CustomObjectScope, get_custom_objects

# Names, configurations and functions accepted for activations, initializers, regularizers and constraints.
Identifier: TypeAlias = str | dict[str, Any] | Callable[..., Any]


def deserialize_object(
    identifier: Any, registry: Mapping[str, Any] | None, custom_objects: Any, kind: str
) -> Any:
    """Resolves a name or configuration to an object.

    Args:
      identifier: a name, a dict with "class_name" and "config", or None, which is returned unchanged.
      registry: the known objects, by name.
      custom_objects: additional objects by name, which take precedence.
      kind: kind of object, for error messages.
    """
    if identifier is None:
        return None
    scope_objects, custom = get_custom_objects(), custom_objects or {}
    if isinstance(identifier, str):
        constructor = _lookup(identifier, custom, scope_objects, registry)
        if constructor is None:
            raise ValueError(f"Unknown {kind}:{identifier}")
        return constructor() if inspect.isclass(constructor) else constructor
    if not isinstance(identifier, dict):
        raise ValueError(f"Could not interpret serialized {kind}: {identifier}")
    if "class_name" not in identifier or "config" not in identifier:
        raise ValueError(f"Improper config format: {identifier}")
    constructor = _lookup(identifier["class_name"], custom, scope_objects, registry)
    if constructor is None:
        raise ValueError(f"Unknown {kind}: {identifier['class_name']}")
    config = identifier["config"]
    if hasattr(constructor, "from_config"):
        if "custom_objects" in inspect.getfullargspec(constructor.from_config).args:
            return constructor.from_config(config, custom_objects={**scope_objects, **custom})
        with CustomObjectScope(custom):
            return constructor.from_config(config)
    with CustomObjectScope(custom):
        return constructor(**config)


def _lookup(name: str, *registries: Mapping[str, Any] | None) -> Any:
    for registry in registries:
        if registry and name in registry:
            return registry[name]
    return None


# Names of these stand for objects created without arguments; names of activations for the functions.
_OBJECT_KINDS = ("initializer", "regularizer", "constraint")


def resolve(identifier: Any, registry: Mapping[str, Callable], kind: str) -> Any:
    """Resolves a name or a dict ("class_name", "config") to an object; functions are returned unchanged.

    Args:
      identifier: a name, a dict or a function; None is returned unchanged.
      registry: the known objects, by name.
      kind: kind of object, for error messages.
    """
    if isinstance(identifier, str):
        custom = get_custom_objects()
        if identifier in custom:
            constructor = custom[identifier]
            return constructor() if inspect.isclass(constructor) else constructor
        if identifier not in registry:
            raise ValueError(f"Unknown {kind}:{identifier}")
        return registry[identifier]() if kind in _OBJECT_KINDS else registry[identifier]
    if isinstance(identifier, dict):
        return deserialize_object(identifier, registry, None, kind)
    if identifier is None or callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret {kind} identifier: {identifier}")


def to_config(instance: Any) -> Any:
    """Returns the configuration of an object for `deserialize_object`, or the name of a function."""
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return inspect.unwrap(instance).__name__
    raise ValueError("Cannot serialize", instance)
