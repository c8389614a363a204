"""Lookup of the gradient rule of a node, which belongs to its op or is registered by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any
from weakref import WeakValueDictionary

from tfmini._src.graph import op_registry, stack_traces
from tfmini._src.graph.function_library import call_gradient

# Rules registered by programs; None means not differentiable.
_registered: dict[str, Callable | None] = {}
_registration_frames: dict[str, stack_traces.Frames] = {}
# Nodes that have their own rule, by the name in their attr, weakly referenced.
_nodes: WeakValueDictionary[str, Any] = WeakValueDictionary()


def _register(op_type: str, rule: Callable | None) -> None:
    opdef = op_registry.registry.get(op_type)
    if op_type in _registered:
        location = (
            stack_traces.user_location(_registration_frames[op_type])
            or stack_traces.locations(_registration_frames[op_type])[-1]
        )
    elif opdef is not None and (opdef.gradient_rule is not None or not opdef.differentiable):
        code = (opdef.gradient_rule or opdef.kernel).__code__
        location = stack_traces.Location(code.co_filename, code.co_firstlineno, code.co_name)
    else:
        _registered[op_type] = rule
        _registration_frames[op_type] = stack_traces.capture(2)
        return
    raise KeyError(
        f"Registering two gradient with name '{op_type}'! "
        f"(Previous registration was in {location.name} {location.filename}:{location.lineno})"
    )


class RegisterGradient:
    """Decorator that registers a gradient rule: `rule(op, *grads)` returns one gradient or None per input.

    The rule applies to ops of type `op_type`, and nodes created under `graph.gradient_override_map({"Type": op_type})`.

    Raises:
      TypeError: if `op_type` is not a string; KeyError: if the type already has a rule.

    Example:

      @tf.RegisterGradient("ClippedIdentity")
      def _clipped(op, grad):
          return tf.clip_by_value(grad, -1.0, 1.0)
    """

    def __init__(self, op_type: str):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Registers `f` and returns it."""
        _register(self._op_type, f)
        return f


def no_gradient(op_type: str) -> None:
    """Registers ops of type `op_type` as not differentiable.

    Raises:
      TypeError: if `op_type` is not a string; KeyError: if the type already has a rule.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _register(op_type, None)


def attach_gradient(op: Any, name: str, rule: Callable) -> None:
    """Attaches a gradient rule to a single node, whose attr `_gradient_op_type` is `name`."""
    op._gradient_function = rule
    _nodes[name] = op


def is_differentiable(op_type: str) -> bool:
    """Whether ops of this type have a gradient."""
    opdef = op_registry.registry.get(op_type)
    if opdef is not None and opdef.gradient_rule is not None:
        return True
    return _registered.get(op_type) is not None


def gradient_function(op: Any) -> Callable | None:
    """Returns a node's gradient rule; None if it is not differentiable.

    Raises:
      LookupError: if no rule is registered.
    """
    if not op.inputs:
        return None
    override = op.attrs.get("_gradient_op_type")
    if override is None:
        opdef = op.opdef
        if opdef.gradient_rule is not None:
            return opdef.gradient_rule
        if not opdef.differentiable:
            return None
        name = opdef.name
    else:
        name = override
    if name in _registered:
        return _registered[name]
    if name in _nodes:
        return _nodes[name]._gradient_function
    declared = op_registry.registry.get(name)
    if declared is not None and (declared.gradient_rule is not None or not declared.differentiable):
        return declared.gradient_rule
    rule = call_gradient(op)
    if rule is not None:
        return rule
    raise LookupError(f"gradient registry has no entry for: {name}")


class GradientRegistry(MutableMapping[str, dict[str, Callable | None]]):
    """All rules by name, in the form `{"type": rule}`, for programs that read or modify TensorFlow's registry.

    Deleted rules, including built-in rules of ops, can be registered again.
    """

    def __getitem__(self, name: str) -> dict[str, Callable | None]:
        if name in _registered:
            return {"type": _registered[name]}
        if not self._has_declared_gradient(name):
            raise KeyError(name)
        return {"type": op_registry.registry[name].gradient_rule}

    def __setitem__(self, name: str, entry: dict[str, Callable | None]) -> None:
        self.pop(name, None)
        _register(name, entry["type"])

    def __delitem__(self, name: str) -> None:
        if name not in _registered and self._has_declared_gradient(name):
            opdef = op_registry.registry[name]
            opdef.gradient_rule, opdef.differentiable = None, True
        else:
            del _registered[name]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in op_registry.registry if self._has_declared_gradient(name))
        yield from _registered

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @staticmethod
    def _has_declared_gradient(name: str) -> bool:
        opdef = op_registry.registry.get(name)
        return opdef is not None and (opdef.gradient_rule is not None or not opdef.differentiable)
