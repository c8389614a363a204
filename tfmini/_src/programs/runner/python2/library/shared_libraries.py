"""`ctypes`: text arguments are bytes, byte results are text."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import as_bytes, as_native

_WIDE_TYPES = (ctypes.c_wchar_p, ctypes.c_wchar)


def _pointer_argument(value: Any, parameter: Any) -> Any:
    return value if parameter in _WIDE_TYPES else as_bytes(value)


class _Library(ctypes.CDLL):
    """A library whose functions accept text for `char *`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        base: Any = self._FuncPtr

        class Function(base):
            _flags_, _restype_ = base._flags_, base._restype_

            def __call__(self, *args: Any) -> Any:
                argument_types = itertools.chain(self.argtypes or (), itertools.repeat(None))
                return as_native(super().__call__(*map(_pointer_argument, args, argument_types)))

        self._FuncPtr = Function


class _Structure(ctypes.Structure):
    """A structure whose fields accept text."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*map(as_bytes, args), **{k: as_bytes(v) for k, v in kwargs.items()})

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, as_bytes(value))


def _create_string_buffer(init: Any, size: int | None = None) -> Any:
    return ctypes.create_string_buffer(as_bytes(init), size)


def _string_at(ptr: Any, size: int = -1) -> Any:
    return as_native(ctypes.string_at(as_bytes(ptr), size))


MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "ctypes": (
        ("ctypes",),
        {
            "CDLL": _Library,
            "Structure": _Structure,
            "c_buffer": _create_string_buffer,
            "cdll": ctypes.LibraryLoader(_Library),
            "create_string_buffer": _create_string_buffer,
            "string_at": _string_at,
        },
    )
}
