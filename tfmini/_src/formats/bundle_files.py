"""A checkpoint's files: their names, and renaming them together.

A checkpoint consists of several files, and no system renames several atomically. All are therefore first completed
under temporary names, the table last. Then the shards are renamed, followed by the table. `bundle_recovery` handles
an interrupted renaming.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from tfmini._src.formats.atomic_write import (
    create_file,
    is_abandoned,
    is_temporary,
    list_names,
    make_directory,
    remove_abandoned,
    temporary_ending,
)
from tfmini._src.formats.system_errors import system_error, translate_errors

_TEMPORARY_TABLE = re.compile(r"(.*)\.index(\.tempstate[-0-9a-f]+)", re.S)
# The Saver's temporary directory of shards to be merged.
_PARTS_DIRECTORY = re.compile(r"_temp_[0-9a-f]{32}\Z")
_PART_PATTERN = re.compile(
    r"part(-[0-9]{5,}-of-[0-9]{5,}\.(index|data-[0-9]{5,}-of-[0-9]{5,}).*)?\Z", re.S
)


def index_path(prefix: str) -> str:
    """Returns the path of a checkpoint's table."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """Returns the path of a checkpoint's data shard."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def rename_all(
    prefix: str, shards: int, suffix: str, before_table: Callable[[], object] = lambda: None
) -> None:
    """Renames a checkpoint's complete files from names with `suffix` to the final ones; some may be renamed already."""
    for i in range(shards):
        _rename(data_path(prefix, i, shards), suffix)
    before_table()
    _rename(index_path(prefix), suffix)


def _rename(path: str, suffix: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.replace(path + suffix, path)


def temporary_tables(directory: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Returns the suffixes of tables that still have temporary names, by checkpoint prefix."""
    suffixes = defaultdict(list)
    for name in names:
        table = _TEMPORARY_TABLE.fullmatch(name)
        if table and is_temporary(name):
            suffixes[os.path.join(directory, table[1])].append(table[2])
    return suffixes


def remove_all(directory: str, names: Iterable[str]) -> None:
    """Removes temporary files."""
    # Tables first, because without a table, the other files do not look like an interrupted renaming.
    for name in sorted(names, key=lambda name: ".index" not in name):
        with contextlib.suppress(OSError):
            os.remove(os.path.join(directory, name))


def remove_paths(paths: Iterable[str]) -> None:
    """Removes files, ignoring missing ones."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


def remove_parts(directory: str, names: Iterable[str]) -> None:
    """Removes the parts directories, among these names, that dead processes have left in `directory`."""
    for name in filter(_PARTS_DIRECTORY.search, names):
        path = os.path.join(directory, name)
        if not os.path.islink(path):
            _remove_parts(path)


def reject_symlink(directory: str) -> None:
    """Raises FailedPreconditionError if a parts directory, whose name is in the graph, is a link."""
    if _PARTS_DIRECTORY.search(directory) and os.path.islink(directory):
        raise system_error(OSError(errno.ENOTDIR, ""), directory)


def make_parts_directory(directory: str) -> None:
    """Creates a checkpoint's directory; a parts directory gets a marker file naming the saving process."""
    make_directory(directory)
    if _PARTS_DIRECTORY.search(directory):
        mark = os.path.join(directory, "part" + temporary_ending())
        with translate_errors(mark):
            try:
                create_file(mark).close()
            except FileNotFoundError:  # another process has removed the empty directory
                make_directory(directory)
                create_file(mark).close()


def unmark_parts(directory: str) -> None:
    """Removes the marker file, so that the empty directory can be removed."""
    if _PARTS_DIRECTORY.search(directory):
        for name in list_names(directory):
            if is_temporary(name) and name.startswith("part.tempstate"):
                os.remove(os.path.join(directory, name))


def _remove_parts(directory: str) -> None:
    """Removes a parts directory that is empty, or whose writers are all dead."""
    names = list_names(directory)
    marks = [name for name in names if name.startswith("part.tempstate")]
    if names and not (marks and all(map(is_abandoned, marks))):
        return
    for name in names:
        if name in marks or _PART_PATTERN.match(name):
            with contextlib.suppress(OSError):
                os.remove(os.path.join(directory, name))
    remove_abandoned(directory)
    with contextlib.suppress(OSError):
        os.rmdir(directory)
