"""Python 2's built-in names, and the functions called by rewritten operations: `__builtins__` of its modules."""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tfmini._src.base import program_strings
from tfmini._src.base.proto import accepted_values
from tfmini._src.programs.runner.python2 import (
    autograph_sources,
    byte_text,
    classes,
    comparisons,
    conversion,
    division,
    exceptions,
    files,
    imports,
    methods,
    numbers,
    print_statement,
    sequences,
    text,
)
from tfmini._src.programs.runner.python2.byte_text import as_bytes, as_native
from tfmini._src.programs.runner.python2.language_version import MARK
from tfmini._src.programs.runner.python2.syntax import PREFIX


def _isinstance(value: Any, class_info: Any) -> bool:
    """Implements `isinstance` with Python 2 types: bytes are also instances of `str`, and text of `bytes`."""
    if isinstance(value, class_info):
        return True
    if isinstance(value, str):
        return class_info is bytes or (isinstance(class_info, tuple) and bytes in class_info)
    return isinstance(value, bytes) and (
        class_info is str
        or (isinstance(class_info, tuple) and _isinstance_of_any(value, class_info))
    )


def _isinstance_of_any(value: bytes, class_info: tuple) -> bool:
    return any(_isinstance(value, cls) for cls in class_info)


def _code(code: Any) -> Any:
    """Returns the code for `exec`: compiles text as Python 2."""
    if not isinstance(code, (str, bytes)):
        return code
    return conversion.compile_source(as_bytes(code), "<string>")


def _execfile(filename: str, globals: Any = None, locals: Any = None) -> None:
    frame = sys._getframe(1)
    namespace = frame.f_globals if globals is None else globals
    if locals is None:
        locals = frame.f_locals if globals is None else namespace
    with open(filename, "rb") as file:
        code = conversion.compile_source(file.read(), filename)
    namespace.setdefault("__builtins__", program_builtins())
    exec(code, namespace, locals)


def _buffer(value: Any, offset: int = 0, size: int | None = None) -> byte_text.ByteText:
    """Returns a read-only buffer, whose items are text."""
    end = None if size is None or size < 0 else offset + size
    return byte_text.ByteText(bytes(as_bytes(value))[offset:end])


def _compile(source: Any, filename: str, mode: str, *args: Any, **kwargs: Any) -> Any:
    """Implements `compile`, which compiles text as Python 2."""
    if not isinstance(source, (str, bytes)):
        return compile(source, filename, mode, *args, **kwargs)
    return conversion.compile_source(as_bytes(source), filename, mode)


def _evaluate(source: Any, names: Any, frame: FrameType) -> Any:
    if isinstance(source, (str, bytes)):
        source = conversion.compile_source(as_bytes(source).strip(), "<string>", "eval")
    globals, locals = (*names, None, None)[:2]
    if globals is None:
        globals, locals = frame.f_globals, frame.f_locals
    globals.setdefault("__builtins__", program_builtins())
    return eval(source, globals, globals if locals is None else locals)


def _eval(source: Any, *names: Any) -> Any:
    return _evaluate(source, names, sys._getframe(1))


def _input(prompt: str = "") -> Any:
    return _evaluate(input(prompt), (), sys._getframe(1))


def _chr(code: int) -> Any:
    """Implements `chr`, which returns a byte."""
    return chr(code) if code < 128 else byte_text.ByteText(bytes((code,)))


def _c_chars(function: Callable, /, *args: Any) -> Any:
    """Returns a `c_char` or `c_char_p`, whose argument may be text."""
    return function(*map(as_bytes, args))


_BUILTINS: dict[str, Any] = {
    "StandardError": Exception,
    "apply": sequences.apply,
    "basestring": str,
    "buffer": _buffer,
    "cmp": comparisons.cmp,
    "chr": _chr,
    "coerce": numbers.coerce,
    "compile": _compile,
    "eval": _eval,
    "execfile": _execfile,
    "file": files.File,
    "filter": sequences.filter_,
    "input": _input,
    "intern": sys.intern,
    "isinstance": _isinstance,
    "long": int,
    "map": sequences.map_,
    "max": comparisons.max_,
    "min": comparisons.min_,
    "oct": numbers.oct_,
    "open": files.open_file,
    "print": print_statement.print_function,
    "range": sequences.range_,
    "raw_input": input,
    "reduce": functools.reduce,
    "reload": imports.reload,
    "round": numbers.round_,
    "sorted": comparisons.sorted_,
    "unichr": chr,
    "unicode": str,
    "xrange": sequences.xrange,
    "zip": sequences.zip_,
}

_OPERATIONS: dict[str, Any] = {
    "add": byte_text.add,
    "attribute": exceptions.attribute,
    "bytes": as_native,
    "class": classes.add_current_names,
    "classic_class": classes.classic,
    "code": _code,
    "contained": byte_text.contains,
    "div": division.div,
    "equal": byte_text.equal,
    "greater": comparisons.greater,
    "greater_equal": comparisons.greater_equal,
    "idiv": division.idiv,
    "idiv_attribute": division.idiv_attribute,
    "idiv_item": division.idiv_item,
    "import": imports.import_,
    "import_from": imports.import_from,
    "import_star": imports.import_star,
    "less": comparisons.less,
    "less_equal": comparisons.less_equal,
    "method": methods.method,
    "of_bytes": _c_chars,
    "percent": text.percent,
    "print": print_statement.Printing,
    "raise": exceptions.create_exception,
    "sibling": imports.sibling,
    "sibling_from": imports.sibling_from,
    "sibling_star": imports.sibling_star,
    "slice": slice,
    "text": text.call,
    "unequal": byte_text.unequal,
}

_names: dict[str, Any] = {}


def program_builtins() -> dict[str, Any]:
    """Returns the `__builtins__` of Python 2 modules: a single dict."""
    _names.update({k: v for k, v in vars(builtins).items() if k not in _BUILTINS})
    if MARK not in _names:
        _names.update(_BUILTINS)
        _names.update({f"{PREFIX}{name}__": function for name, function in _OPERATIONS.items()})
        _names[MARK] = None
        autograph_sources.install(_names)
        accepted_values.converters.append(as_bytes)
        program_strings.decoders.append(byte_text.as_byte_text)
        program_strings.encoders.append(as_bytes)
    return _names
