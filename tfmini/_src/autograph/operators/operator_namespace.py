"""Operator namespaces of converted code, one per set of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tfmini._src.autograph.operators import if_statement, lists, logic, loops, undefined
from tfmini._src.autograph.options import ConversionOptions, Feature
from tfmini._src.graph.autograph_status import Status, conversion
from tfmini._src.graph.scopes import name_scope


class Operators:
    """The operators, and the conversion of called functions.

    Args:
      options: conversion options of the functions that use this namespace.
      callee: returns the replacement for a function called by converted code.
    """

    if_stmt = staticmethod(if_statement.if_stmt)
    if_exp = staticmethod(if_statement.if_exp)
    while_stmt = staticmethod(loops.while_stmt)
    for_stmt = staticmethod(loops.for_stmt)
    and_ = staticmethod(logic.and_)
    or_ = staticmethod(logic.or_)
    not_ = staticmethod(logic.not_)
    assert_stmt = staticmethod(lists.assert_stmt)
    new_list = staticmethod(lists.new_list)
    list_append = staticmethod(lists.list_append)
    list_pop = staticmethod(lists.list_pop)
    get_item = staticmethod(lists.get_item)
    set_item = staticmethod(lists.set_item)
    eq = staticmethod(logic.eq)
    not_eq = staticmethod(logic.not_eq)
    defined_value = staticmethod(undefined.defined_value)
    retval = staticmethod(undefined.retval)
    UndefinedReturnValue = undefined.UndefinedReturnValue

    def __init__(self, options: ConversionOptions, callee: Callable[[Any], Any]) -> None:
        self.callee = callee
        self._is_requested = options.user_requested
        self._has_scopes = options.uses(Feature.NAME_SCOPES)

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Context manager of a function's body, with AutoGraph enabled; with NAME_SCOPES, also a name scope."""
        with ExitStack() as stack:
            if self._is_requested:
                stack.enter_context(conversion(Status.ENABLED))
            if self._has_scopes:
                stack.enter_context(name_scope(f"fn{name}" if name.startswith("_") else name))
            yield
