"""Installs or removes an alias atomically."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import cache_from_source

from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.programs.alias.environment import check_for_tensorflow, packages_folder
from tfmini._src.programs.alias.package_files import ENTRIES, MARK, PACKAGE, START, files


def turn_on() -> str:
    """Installs the package, replacing that of an older tfmini; returns its path.

    Raises:
      OpError: if TensorFlow is installed, or on an I/O error; nothing is changed then.
    """
    folder = packages_folder()
    check_for_tensorflow(folder)
    with translate_errors(folder), _stage(folder) as stage:
        for path, text in files().items():
            place = os.path.join(stage, "new", *path.split("/"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        _exchange(folder, os.path.join(stage, "new"), os.path.join(stage, "old"))
    return os.path.join(folder, PACKAGE)


def turn_off() -> bool:
    """Removes the package; returns whether it was installed. Raises OpError on an I/O error, changing nothing."""
    folder = packages_folder()
    if not any(_is_ours(folder, name) for name in ENTRIES):
        return False
    with translate_errors(folder), _stage(folder) as stage:
        _exchange(folder, None, os.path.join(stage, "old"))
    with contextlib.suppress(FileNotFoundError):
        os.remove(cache_from_source(os.path.join(folder, START)))
    return True


def installed_entries() -> list[str]:
    """Paths of the installed entries: all or none, unless a process was killed during installation."""
    folder = packages_folder()
    return [os.path.join(folder, name) for name in ENTRIES if _is_ours(folder, name)]


def _is_ours(folder: str, name: str) -> bool:
    place = os.path.join(folder, name)
    if name == PACKAGE:
        return os.path.exists(os.path.join(place, MARK))
    if name.endswith(".dist-info"):
        with contextlib.suppress(OSError), open(os.path.join(place, "INSTALLER")) as file:
            return file.read().strip() == "tfmini"
        return False
    return os.path.exists(place)


@contextlib.contextmanager
def _stage(folder: str) -> Iterator[str]:
    """A temporary folder on the same disk, a staging area for renames."""
    stage = tempfile.mkdtemp(prefix=".tfmini-alias-", dir=folder)
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _exchange(folder: str, new: str | None, old: str) -> None:
    """Moves a folder's alias entries to `old`, in reverse order, then those of `new` into it; rolls back on failure."""
    os.mkdir(old)
    moves = [
        (os.path.join(folder, name), os.path.join(old, name))
        for name in reversed(ENTRIES)
        if _is_ours(folder, name)
    ]
    if new is not None:
        moves += [(os.path.join(new, name), os.path.join(folder, name)) for name in ENTRIES]
    done: list[tuple[str, str]] = []
    try:
        for source, target in moves:
            os.rename(source, target)
            done.append((source, target))
    except OSError:
        for source, target in reversed(done):
            os.rename(target, source)
        raise
