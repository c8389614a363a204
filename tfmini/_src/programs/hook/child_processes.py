"""Start-up code of a child process: a finder that imports tfmini on the first import of `tensorflow`.

`site/sitecustomize.py` runs only this file, without tfmini: a process that never imports `tensorflow` has no overhead.
It imports only standard library modules that every Python has already loaded. In children of `tfmini run`, the first
import of NumPy also installs the old behavior restored by the runner: program modules that import NumPy, or a library
based on it, are compiled by the runner; so are scripts, through a path hook.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

TENSORFLOW_PACKAGES = ("tensorflow", "tensorflow_core", "tensorflow_estimator")
SITE_DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")

STRICT_VARIABLE = "TFMINI_STRICT"  # environment variable inherited by child processes

PARENT_PREFIX_VARIABLE = (
    "TFMINI_PYTHON"  # environment variable with the prefix of the parent's Python environment
)
SHIMMED_DIRECTORIES_VARIABLE = (
    "TFMINI_MENDED"  # environment variable: directories of programs with restored behavior
)

# Installed packages written for TensorFlow 1 and no longer released.
UNMAINTAINED_PACKAGES = (
    *("edward", "gpflow", "keras", "keras_contrib", "sonnet", "stable_baselines", "tensor2tensor"),
    *("tensorflow_probability", "tensorlayer", "tf_slim", "tflearn"),
)

# Libraries that import NumPy, as named in import statements.
_NUMPY_LIBRARIES = tuple(b"numpy tensorflow keras matplotlib pandas pylab scipy sklearn".split())
_TENSORFLOW = (b"tensorflow",)

# The directory that contains the package tfmini: this file is tfmini/_src/programs/hook/child_processes.py.
_INSTALL_DIRECTORY = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(SITE_DIRECTORY))))
)

_FINDER = "tfmini._src.programs.hook.import_finder"
_CHILD_PROCESS_SHIMS = "tfmini._src.programs.runner.child_process_shims"
_LIBRARY = os.path.join(os.path.dirname(os.path.realpath(os.__file__)), "")
_PACKAGE = os.path.join(os.path.realpath(_INSTALL_DIRECTORY), "tfmini", "")

METADATA = """\
Metadata-Version: 2.1
Name: tensorflow
Version: 1.15.5
Summary: Programs that import tensorflow run by tfmini here.
"""


class PendingFinder:
    """A finder on `sys.meta_path`, replaced by tfmini's own at the first import of `tensorflow`.

    It restores old behavior for programs in `directories`, unless None, and at their imports of `libraries`.
    """

    def __init__(
        self,
        directories: Sequence[str] | None = None,
        libraries: Sequence[bytes] = _NUMPY_LIBRARIES,
    ) -> None:
        self._directories = directories
        self._libraries = libraries
        self._is_own_entry: dict[str, bool] = {}  # by `sys.path` entry

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        root = name.partition(".")[0]
        if root in TENSORFLOW_PACKAGES:
            if name != root and root in sys.modules:
                return None  # another environment has its own packages
            return self.install().find_spec(name, path, target)
        if self._directories is None or root == "tfmini" or "tfmini" in sys.modules:
            return None
        is_for_numpy = b"numpy" in self._libraries
        if is_for_numpy and name == "numpy":
            return self._install_after_load(_find_spec(name, path, target, self))
        if (is_for_numpy and root in UNMAINTAINED_PACKAGES) or self._imports_library(name, path):
            self.install()
            return _find_spec(name, path, target)
        return None

    def install(self) -> Any:
        """Imports tfmini, installs its finder and the old behavior; returns the finder."""
        import importlib  # noqa: PLC0415

        try:
            import tfmini  # noqa: F401, PLC0415
        except ModuleNotFoundError as error:
            if error.name != "tfmini":
                raise
            # The parent process imported it from its working directory.
            sys.path.append(_INSTALL_DIRECTORY)
        is_first = self in sys.meta_path
        finder = importlib.import_module(_FINDER).install_in_child()
        if is_first and self._directories is not None:
            restore_in_children(self._directories)
            importlib.import_module(_CHILD_PROCESS_SHIMS).install_shims(self._directories)
        return finder

    def _install_after_load(self, spec: Any) -> Any:
        """Returns NumPy's import spec with a loader that calls `install` last; tfmini imports NumPy itself."""
        if spec is not None and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                execute(module)
                self.install()

            spec.loader.exec_module = exec_module
        return spec

    def _imports_library(self, name: str, path: Any) -> bool:
        """Whether the module is one of the program's modules and imports one of the libraries."""
        entries = list(sys.path if path is None else path)
        own_entries = [entry for entry in entries if self._is_own(entry)]
        if not own_entries:
            return False
        spec = PathFinder.find_spec(name, own_entries)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return False
        first = PathFinder.find_spec(name, entries)
        is_first = first is not None and first.origin == spec.origin
        return is_first and _imports_any(spec.loader.path, self._libraries)

    def _is_own(self, entry: str) -> bool:
        """Whether a path entry is at or below one of the program's directories."""
        location = entry or os.getcwd()
        if location not in self._is_own_entry:
            full = os.path.join(os.path.realpath(location), "")
            self._is_own_entry[location] = not is_installed(full)
            directories = [os.path.join(directory, "") for directory in self._directories or ()]
            self._is_own_entry[location] &= full.startswith(tuple(directories))
        return self._is_own_entry[location]

    def script(self, path: str) -> _Script:
        """Path hook for scripts: returns an importer that runs it as `__main__`, if it imports one of the libraries."""
        is_source = path.endswith(".py") or os.path.abspath(path) == os.path.abspath(sys.argv[0])
        if not is_source or not os.path.isfile(path):
            raise ImportError("no script", path=path)
        if not self._is_own(os.path.dirname(os.path.abspath(path))) or not _imports_any(
            path, self._libraries
        ):
            raise ImportError("no script with such an import", path=path)
        return _Script(path, self)

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        return distributions(context)


class _Script:
    """Importer and loader of a script; its code object calls the runner."""

    def __init__(self, path: str, waiting: PendingFinder) -> None:
        self._path = path
        self._pending_finder = waiting

    def find_spec(self, name: str, target: Any = None) -> Any:
        origin = os.path.abspath(self._path)
        return ModuleSpec(name, self, origin=origin) if name == "__main__" else None  # type: ignore[arg-type]

    def get_code(self, name: str) -> Any:
        # runpy has removed `__main__`; a library that imports it must not run this script.
        stand_in = ModuleType("__main__")
        sys.modules.setdefault("__main__", stand_in)
        try:
            self._pending_finder.install()
        finally:
            if sys.modules["__main__"] is stand_in:
                del sys.modules["__main__"]
        run = f"__import__({_CHILD_PROCESS_SHIMS!r}, fromlist=['run_script']).run_script"
        return compile(f"{run}({self._path!r}, globals())", __file__, "exec")


def is_installed(path: str) -> bool:
    """Whether a real path is in Python's library, an installed package or tfmini, even below a program's directory."""
    packages = "site-packages" in path or "dist-packages" in path
    return packages or path.startswith((_LIBRARY, _PACKAGE))


def _imports_any(path: str, libraries: Sequence[bytes]) -> bool:
    """Whether a line of a source file imports one of the libraries."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    if b"\0" in data or not any(name in data for name in libraries):
        return False
    lines = (line for line in data.splitlines() if b"import" in line)
    return any(name in line for line in lines for name in libraries)


def _find_spec(name: str, path: Any, target: Any, without: Any = None) -> Any:
    """Returns the module spec from the finders on `sys.meta_path`, except for one of them."""
    for finder in list(sys.meta_path):
        spec = None if finder is without else finder.find_spec(name, path, target)
        if spec is not None:
            return spec
    return None


def distributions(context: Any) -> Iterator[Any]:
    """Yields the distribution `tensorflow` 1.15.5 for `importlib.metadata`."""
    if context is None or context.name in (None, "tensorflow"):
        from importlib import metadata  # noqa: PLC0415

        class TensorFlow(metadata.Distribution):
            def read_text(self, filename: str) -> str | None:
                return METADATA if filename == "METADATA" else None

            def locate_file(self, path: Any) -> Any:
                return os.path.join(os.path.dirname(SITE_DIRECTORY), path)

        yield TensorFlow()


def restore_in_children(directories: Sequence[str]) -> None:
    """Restores the old behavior of programs in these directories also in child processes."""
    os.environ[SHIMMED_DIRECTORIES_VARIABLE] = os.pathsep.join(map(os.path.realpath, directories))


def _is_another_python() -> bool:
    """Whether the parent runs in another environment, with other packages."""
    return os.environ.get(PARENT_PREFIX_VARIABLE, sys.prefix) != sys.prefix


def _program_paths() -> list[str] | None:
    """Returns the program directories of the parent and of this process; None if this process restores nothing."""
    if (
        SHIMMED_DIRECTORIES_VARIABLE not in os.environ
        or os.environ.get(STRICT_VARIABLE) == "1"
        or _is_another_python()
    ):
        return None
    return _program_directories()


def _program_directories() -> list[str]:
    """Returns the program directories of the parent process and of this one."""
    directories = [
        directory
        for directory in os.environ.get(SHIMMED_DIRECTORIES_VARIABLE, "").split(os.pathsep)
        if directory
    ]
    program = getattr(sys, "argv", ["-c"])[0]
    if program == "-m":
        program_path = os.path.realpath(os.getcwd())
    elif program in ("", "-", "-c"):
        return directories
    else:
        program_path = os.path.realpath(program)
        program_path = (
            program_path if os.path.isdir(program_path) else os.path.dirname(program_path)
        )
    return directories if program_path in directories else [*directories, program_path]


def start() -> None:
    """Maps `tensorflow` to tfmini from its first import on; in other environments only if they have no TensorFlow."""
    directories = _program_paths()
    waiting = PendingFinder(directories)
    sys.meta_path.insert(len(sys.meta_path) if _is_another_python() else 0, waiting)
    if directories is not None:
        restore_in_children(directories)
        sys.path_hooks.append(waiting.script)


def start_alias() -> None:
    """Maps `tensorflow` to tfmini in a process whose environment has the alias.

    Old behavior is restored only for programs that import it. In children of `tfmini run`, `sitecustomize` does this.
    """
    is_child = SITE_DIRECTORY in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if is_child and not _is_another_python():
        return
    waiting = PendingFinder(
        None if os.environ.get(STRICT_VARIABLE) == "1" else _program_directories(), _TENSORFLOW
    )
    sys.meta_path.insert(0, waiting)
    sys.path_hooks.append(waiting.script)
