"""Programs to run, with `__main__`, `sys.argv` and `sys.path[0]` set as by Python."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import os
import pkgutil
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from tfmini._src.graph import stack_traces
from tfmini._src.programs.hook import child_processes
from tfmini._src.programs.hook.extra_names import is_strict
from tfmini._src.programs.runner.call_shims import compile_source
from tfmini._src.programs.runner.module_finder import rewrite_modules
from tfmini._src.programs.runner.program_directories import import_directories
from tfmini._src.programs.runner.program_traceback import report_as_python
from tfmini._src.programs.runner.program_warnings import name_program_lines
from tfmini._src.programs.runner.python2 import language_version

# Standard library modules that are loaded before any script where TensorFlow 1.x is installed: Python's own, and
# namespaces imported by protobuf's .pth file
_STARTUP = frozenset(
    "__main__ abc codecs collections contextlib encodings functools genericpath heapq importlib io keyword operator os "
    "posixpath reprlib site stat types warnings".split()
)


class NoProgramError(Exception):
    """Raised if there is no program to run; the message gives the reason."""


@dataclass
class Program:
    """Code objects to run in order in one namespace.

    Attributes:
      load: compiles the codes, with `sys.path` already the program's; its exceptions are program errors.
      argv0: `sys.argv[0]`.
      path0: `sys.path[0]`, None to leave the path unchanged.
      attributes: attributes of `__main__` in addition to `__name__`.
      prepare: called with the namespace of `__main__` before the first code runs.
    """

    load: Callable[[], Sequence[CodeType]]
    argv0: str
    path0: str | None
    attributes: dict[str, Any] = field(default_factory=dict)
    prepare: Callable[[dict[str, Any]], None] = lambda namespace: None


def script(path: str) -> Program:
    """Loads a source or bytecode file, a directory or archive with `__main__`, or "-"; else raises NoProgramError."""
    if path == "-":
        return text(sys.stdin.buffer.read(), "-", "<stdin>")
    if importer := _container(path):
        return _load_main(importer, path)
    return source_file(path)


def source_file(path: str) -> Program:
    """Loads a source or bytecode file, regardless of its name; raises NoProgramError if it cannot be opened."""
    full = os.path.join(os.getcwd(), path)  # not normalized, as in Python itself
    try:
        with io.open_code(full) as file:
            data = file.read()
    except OSError as error:
        raise NoProgramError(
            f"can't open file {full!r}: [Errno {error.errno}] {error.strerror}"
        ) from None

    def load() -> Sequence[CodeType]:
        language_version.search_evidence(data, os.path.dirname(full))
        code = pkgutil.read_code(io.BytesIO(data))
        return [code or compile_source(data, full)]

    loader = importlib.machinery.SourceFileLoader("__main__", full)
    attributes = {"__file__": full, "__loader__": loader, "__cached__": None, "__spec__": None}
    return Program(load, path, os.path.dirname(os.path.realpath(path)), attributes)


def text(source: str | bytes, argv0: str = "-c", filename: str = "<string>") -> Program:
    """Returns the program for source text, as for `python -c`."""
    loader = importlib.machinery.BuiltinImporter
    language_version.search_evidence(
        source if isinstance(source, bytes) else source.encode(), os.getcwd()
    )
    return Program(
        lambda: [compile_source(source, filename)],
        argv0,
        "",
        {"__loader__": loader, "__spec__": None},
    )


def module(name: str) -> Program:
    """Returns the program for an importable module or a package's `__main__`, as for `python -m`.

    Raises:
      NoProgramError: if there is no such module, or it is a package without `__main__`.
    """
    program = Program(lambda: [code], "-m", os.getcwd())
    _enter(program)  # finding a module imports its parent packages
    spec, code = _module_code(name)
    program.argv0 = spec.origin or name
    program.attributes = {
        "__file__": spec.origin,
        "__loader__": spec.loader,
        "__package__": spec.parent,
        "__cached__": spec.cached,
        "__spec__": spec,
    }
    return program


def _module_code(name: str) -> tuple[importlib.machinery.ModuleSpec, CodeType]:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise NoProgramError(
            f"Error while finding module specification for {name!r} ({error})"
        ) from None
    if spec is None:
        raise NoProgramError(f"No module named {name}")
    loader: Any = spec.loader
    if isinstance(loader, importlib.machinery.SourceFileLoader):
        language_version.search_evidence(loader.get_data(loader.path), os.path.dirname(loader.path))
    if spec.submodule_search_locations is not None:
        if name.endswith(".__main__"):
            raise NoProgramError("Cannot use package as __main__ module")
        try:
            return _module_code(f"{name}.__main__")
        except NoProgramError as error:
            raise NoProgramError(
                f"{error}; {name!r} is a package and cannot be directly executed"
            ) from None
    code = loader.get_code(name) if hasattr(loader, "get_code") else None
    if code is None:
        raise NoProgramError(f"No code object available for {name}")
    return spec, code


def _container(path: str) -> Any:
    """Returns the importer of a directory or archive; None for a file."""
    if os.path.isfile(path) and path.endswith((".py", ".pyc", ".ipynb")):
        return None
    return pkgutil.get_importer(path)


def _load_main(importer: Any, path: str) -> Program:
    spec = importer.find_spec("__main__")
    if spec is None:
        raise NoProgramError(f"can't find '__main__' module in {os.path.abspath(path)!r}")
    attributes = {
        "__file__": spec.origin,
        "__loader__": spec.loader,
        "__package__": "",
        "__cached__": None,
        "__spec__": spec,
    }
    return Program(lambda: [_main_code(spec)], path, os.path.abspath(path), attributes)


def _main_code(spec: importlib.machinery.ModuleSpec) -> CodeType:
    """Returns the code object of a `__main__`, compiled as a script unless only bytecode exists."""
    loader: Any = spec.loader
    if spec.origin and os.path.isfile(spec.origin):
        language_version.search_evidence(loader.get_data(spec.origin), os.path.dirname(spec.origin))
    source = loader.get_source("__main__")
    return (
        loader.get_code("__main__") if source is None else compile_source(source, spec.origin or "")
    )


def run(program: Program, arguments: Sequence[str]) -> None:
    """Runs the program as `__main__` with these arguments; its exceptions propagate."""
    main = types.ModuleType("__main__")
    main.__dict__.update({"__builtins__": sys.modules["builtins"], "__package__": None})
    if sys.version_info < (3, 14):
        main.__dict__["__annotations__"] = {}
    main.__dict__.update(program.attributes)
    sys.argv[:] = [program.argv0, *arguments]
    _enter(program)
    sys.modules["__main__"] = main
    execute(program, main.__dict__)


def execute(program: Program, namespace: dict[str, Any]) -> None:
    """Executes a program's codes in a namespace; tracebacks and stacks start there."""
    stack_traces.hide_launcher_frames(execute.__code__)
    codes: list[CodeType] = []
    with report_as_python(codes):
        codes += program.load()
        program.prepare(namespace)
        for code in codes:
            language_version.set_builtins(code, namespace)
            exec(code, namespace)


def _enter(program: Program) -> None:
    """Puts a program's directory first on `sys.path`, and restores old calls in its modules and child processes."""
    _set_first(program.path0)
    directories = [] if program.path0 is None else import_directories(program.path0)
    rewrite_modules(directories)
    if not is_strict():
        name_program_lines()
        child_processes.restore_in_children(directories)


def _forget_shadowed(path0: str) -> None:
    """Unloads standard library modules that tfmini has imported and that modules in the program's directory shadow.

    Otherwise the program would get Python's `statistics` instead of its own. Modules that are
    loaded at startup stay, as for a script.
    """
    for name in sys.stdlib_module_names & sys.modules.keys() - _STARTUP:
        spec = getattr(sys.modules[name], "__spec__", None)
        files = os.path.join(path0, name + ".py"), os.path.join(path0, name, "__init__.py")
        if spec is not None and spec.has_location and any(map(os.path.isfile, files)):
            del sys.modules[name]


def _set_first(path0: str | None) -> None:
    """Replaces `sys.path[0]`, which Python set for tfmini's own command line."""
    if path0 is not None and not getattr(sys.flags, "safe_path", False):
        sys.path[0] = path0
        _forget_shadowed(path0)
