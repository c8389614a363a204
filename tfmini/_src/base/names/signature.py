"""Functions that share another function's signature, and classes that share their base's, which is declared once.

`inspect` and editors show the full signature for each.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

_POSITIONAL_OR_KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD


@overload
def arguments_of(
    model: type, /, *without: str, **defaults: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...


@overload
def arguments_of(
    model: Function, /, *without: str, **defaults: Any
) -> Callable[[Callable[..., Any]], Function]: ...


def arguments_of(model: Any, /, *without: str, **defaults: Any) -> Any:
    """Decorates a function or method to take the arguments of another function, or of a class's constructor.

    It receives all of them with defaults filled in: positionally, or by name if it takes `**` keywords. It may then
    declare additional arguments, each placed after the argument named before it. Its docstring defaults to the model's.

        @arguments_of(true_positives)
        def false_positives(*given):
            return _counted("false_positives", False, True, *given)

    Args:
      model: the function or class that defines names, order and defaults of the arguments.
      *without: arguments to omit.
      **defaults: defaults that override the model's.
    """
    is_class = inspect.isclass(model)
    model_parameters = inspect.signature(model.__init__ if is_class else model).parameters
    parameters = [
        p.replace(default=defaults.get(p.name, p.default))
        for p in model_parameters.values()
        if p.name not in without
    ]

    def decorate(function: Callable[..., Any]) -> Any:
        by_name = bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)
        written = inspect.signature(function)
        names = written.parameters
        own_parameters = [p for p in names.values() if by_name and p.kind is _POSITIONAL_OR_KEYWORD]
        in_order = parameters[is_class and "self" not in names :]
        position = 0
        for p in own_parameters:
            existing = [parameter.name for parameter in in_order]
            if p.name in existing:
                position = existing.index(p.name) + 1
            elif p.name not in model_parameters:
                in_order.insert(position, p)
                position += 1
        order = written.replace(parameters=in_order)

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = order.bind(*args, **kwargs)
            except TypeError:
                # Raises the same message as a plain call.
                inspect.getcallargs(call, *args, **kwargs)
                raise
            bound.apply_defaults()
            return function(**bound.arguments) if by_name else function(*bound.args)

        functools.update_wrapper(call, function)
        documented_function = model.__init__ if is_class and "self" in names else model
        # The docstring without the deprecation notice.
        call.__doc__ = function.__doc__ or inspect.unwrap(documented_function).__doc__
        del call.__wrapped__  # type: ignore[attr-defined]  # `call` has other parameters
        call.__signature__ = order  # type: ignore[attr-defined]
        return call

    return decorate


def change_defaults(**values: Any) -> Callable[[Class], Class]:
    """Class decorator that overrides defaults of the base's `__init__` and inherits its docstring."""

    def change(cls: Any) -> Any:
        signature = _full_signature(cls.__init__)
        parameters = [
            parameter.replace(default=values.get(name, parameter.default))
            for name, parameter in signature.parameters.items()
        ]
        signature = signature.replace(parameters=parameters)
        cls.__doc__ = inspect.getdoc(cls)
        return _with_signature(cls, signature, signature, values)

    return change


def hide_arguments(*names: str) -> Callable[[Class], Class]:
    """Class decorator that accepts these arguments as keywords but hides them from the signature."""

    def change(cls: Any) -> Any:
        signature = _full_signature(cls.__init__)
        visible = [p for name, p in signature.parameters.items() if name not in names]
        return _with_signature(cls, signature, signature.replace(parameters=visible), {})

    return change


def _with_signature(
    cls: Any, signature: inspect.Signature, visible: inspect.Signature, values: dict[str, Any]
) -> Any:
    inherited_init = getattr(cls.__init__, "without_hidden_arguments", cls.__init__)
    _, *order = (name for name, p in visible.parameters.items() if p.kind is not p.VAR_KEYWORD)

    @functools.wraps(inherited_init)
    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        by_name = dict(zip(order, args))
        if len(args) > len(order) or by_name.keys() & kwargs.keys():
            inspect.getcallargs(initialize, self, *args, **kwargs)  # raises as a plain call does
        inherited_init(self, **{**values, **by_name, **kwargs})

    initialize.__signature__ = visible  # type: ignore[attr-defined]
    initialize.full_signature = signature  # type: ignore[attr-defined]
    if not values:  # by name, because arguments are only forwarded
        initialize.without_hidden_arguments = inherited_init  # type: ignore[attr-defined]
    cls.__init__ = initialize
    return cls


def _full_signature(function: Any) -> inspect.Signature:
    return getattr(function, "full_signature", None) or inspect.signature(function)
