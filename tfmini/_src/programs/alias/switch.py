"""Installs or removes an alias atomically."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import cache_from_source

from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.programs.alias.environment import check_for_tensorflow, packages_directory
from tfmini._src.programs.alias.package_files import ENTRIES, MARK, PACKAGE, START, files


def turn_on() -> str:
    """Installs the package, replacing an older tfmini's package if necessary; returns its path.

    Raises:
      OpError: if TensorFlow is installed, or on an I/O error; nothing is changed then.
    """
    directory = packages_directory()
    check_for_tensorflow(directory)
    with translate_errors(directory), _staging_directory(directory) as stage:
        for path, text in files().items():
            target = os.path.join(stage, "new", *path.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        _exchange(directory, os.path.join(stage, "new"), os.path.join(stage, "old"))
    return os.path.join(directory, PACKAGE)


def turn_off() -> bool:
    """Removes the package; returns whether it was installed. Raises OpError on an I/O error, changing nothing."""
    directory = packages_directory()
    if not any(_is_tfmini_entry(directory, name) for name in ENTRIES):
        return False
    with translate_errors(directory), _staging_directory(directory) as stage:
        _exchange(directory, None, os.path.join(stage, "old"))
    with contextlib.suppress(FileNotFoundError):
        os.remove(cache_from_source(os.path.join(directory, START)))
    return True


def installed_entries() -> list[str]:
    """Returns the paths of the installed entries: all or none, unless a process was killed during installation."""
    directory = packages_directory()
    return [os.path.join(directory, name) for name in ENTRIES if _is_tfmini_entry(directory, name)]


def _is_tfmini_entry(directory: str, name: str) -> bool:
    path = os.path.join(directory, name)
    if name == PACKAGE:
        return os.path.exists(os.path.join(path, MARK))
    if name.endswith(".dist-info"):
        with contextlib.suppress(OSError), open(os.path.join(path, "INSTALLER")) as file:
            return file.read().strip() == "tfmini"
        return False
    return os.path.exists(path)


@contextlib.contextmanager
def _staging_directory(directory: str) -> Iterator[str]:
    """Context manager that yields a temporary directory on the same disk, a staging area for renames."""
    stage = tempfile.mkdtemp(prefix=".tfmini-alias-", dir=directory)
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _exchange(directory: str, new: str | None, old: str) -> None:
    """Moves a directory's alias entries to `old`, in reverse order, then `new`'s into it; rolls back on failure."""
    os.mkdir(old)
    renames = [
        (os.path.join(directory, name), os.path.join(old, name))
        for name in reversed(ENTRIES)
        if _is_tfmini_entry(directory, name)
    ]
    if new is not None:
        renames += [(os.path.join(new, name), os.path.join(directory, name)) for name in ENTRIES]
    exchanged: list[tuple[str, str]] = []
    try:
        for source, target in renames:
            os.rename(source, target)
            exchanged.append((source, target))
    except OSError:
        for source, target in reversed(exchanged):
            os.rename(target, source)
        raise
