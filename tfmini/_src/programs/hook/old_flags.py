"""Flags as before TensorFlow 1.5: `FLAGS._parse_flags()`, new flags by assignment, values in `FLAGS.__flags`."""

from __future__ import annotations

import sys
from collections import UserDict
from typing import Any

from absl.flags import ArgumentParser, Flag, FlagValues

from tfmini._src.base.flags.flag_values import LazyFlagValues, define_tensorflow_flags
from tfmini._src.programs.hook.warn_once import warn_once


class OldFlagValues(LazyFlagValues):
    """FLAGS with the parsing method, the assignments and the dictionary used by programs before 1.5."""

    def __init__(self, flags: FlagValues) -> None:
        define_tensorflow_flags()
        super().__init__(flags)
        self.__dict__["__flags"] = _Values(flags)

    def _parse_flags(self, args: list[str] | None = None) -> None:
        warn_once(
            "FLAGS",
            "FLAGS._parse_flags() was removed in TensorFlow 1.5; FLAGS is parsed when it is first read.",
        )
        flags = self.__dict__["__wrapped"]
        if args is not None or not flags.is_parsed():
            flags(sys.argv if args is None else [sys.argv[0], *args])

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self:
            warn_once(
                ("FLAGS", name),
                f"FLAGS.{name} is not defined; assignment defines flags only before TensorFlow 1.5.",
            )
            self[name] = Flag(ArgumentParser(), None, name, None, "")
        super().__setattr__(name, value)


class _Values(UserDict):
    """Flag values by name, with the attributes of the flags, as read by programs since 1.5."""

    def __init__(self, flags: FlagValues) -> None:
        self._flags = flags

    @property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        if not self._flags.is_parsed():
            self._flags(sys.argv)
        return {name: _flag_value(flag) for name, flag in self._flags._flags().items()}


class _FlagValue:
    """A value with its flag's attributes."""

    _flag: Flag

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_flag"], name)


class _Integer(_FlagValue, int): ...


class _Float(_FlagValue, float): ...


class _Text(_FlagValue, str): ...


class _List(_FlagValue, list): ...


class _Mapping(_FlagValue, dict): ...


class _Boolean(_FlagValue, int):
    def __repr__(self) -> str:
        return repr(bool(self))

    __str__ = __repr__


_VALUE_CLASSES: dict[type, type] = {
    bool: _Boolean,
    dict: _Mapping,
    float: _Float,
    int: _Integer,
    list: _List,
    str: _Text,
}


def _flag_value(flag: Flag) -> Any:
    """Returns the flag's value with the flag's attributes; the flag itself for None and other types."""
    flag_class = _VALUE_CLASSES.get(type(flag.value))
    if flag_class is None:
        return flag
    value = flag_class(flag.value)
    value._flag = flag
    return value
