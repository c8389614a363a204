"""The files of a checkpoint: their names, and renaming them together.

A checkpoint is several files, and no system renames several at once. So all are complete under temporary names
first, the table's last. Then the shards are renamed, and then the table. `bundle_recovery` has what is done when
that was cut short.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from tfmini._src.formats.atomic_write import (
    created,
    is_abandoned,
    is_temporary,
    listed,
    make_folder,
    remove_abandoned,
    temporary_ending,
)
from tfmini._src.formats.system_errors import of_system, translated

_TEMPORARY_TABLE = re.compile(r"(.*)\.index(\.tempstate[-0-9a-f]+)", re.S)
# Where the shards of a save are until they are merged: a folder of the Saver's making.
_PARTS_FOLDER = re.compile(r"_temp_[0-9a-f]{32}\Z")
_PART = re.compile(r"part(-[0-9]{5,}-of-[0-9]{5,}\.(index|data-[0-9]{5,}-of-[0-9]{5,}).*)?\Z", re.S)


def index_path(prefix: str) -> str:
    """The file of a checkpoint's table."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The file of one of its shards."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def rename_all(
    prefix: str, shards: int, ending: str, before_table: Callable[[], object] = lambda: None
) -> None:
    """Gives the files of a checkpoint, complete under their names with `ending`, their own; some may have them."""
    for i in range(shards):
        _rename(data_path(prefix, i, shards), ending)
    before_table()
    _rename(index_path(prefix), ending)


def _rename(path: str, ending: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.replace(path + ending, path)


def temporary_tables(folder: str, names: Iterable[str]) -> dict[str, list[str]]:
    """The endings of tables that have their temporary names yet, by the prefixes of their checkpoints."""
    found = defaultdict(list)
    for name in names:
        table = _TEMPORARY_TABLE.fullmatch(name)
        if table and is_temporary(name):
            found[os.path.join(folder, table[1])].append(table[2])
    return found


def remove_all(folder: str, names: Iterable[str]) -> None:
    """Removes temporary files."""
    # Tables first: without one, nothing looks like a renaming that had begun.
    for name in sorted(names, key=lambda name: ".index" not in name):
        with contextlib.suppress(OSError):
            os.remove(os.path.join(folder, name))


def remove_paths(paths: Iterable[str]) -> None:
    """Removes files that may be missing."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


def remove_parts(folder: str, names: Iterable[str]) -> None:
    """Removes the parts left by processes that are gone: folders below `folder`, of these names."""
    for name in names:
        path = os.path.join(folder, name)
        if _PARTS_FOLDER.search(name) and not os.path.islink(path):
            _remove_parts(path)


def refuse_link(folder: str) -> None:
    """Raises FailedPreconditionError for a link in the place of a folder of parts, whose name is in the graph."""
    if _PARTS_FOLDER.search(folder) and os.path.islink(folder):
        raise of_system(OSError(errno.ENOTDIR, ""), folder)


def make_parts_folder(folder: str) -> None:
    """Makes the folder of a checkpoint; in one of parts it notes which process saves there."""
    make_folder(folder)
    if _PARTS_FOLDER.search(folder):
        mark = os.path.join(folder, "part" + temporary_ending())
        with translated(mark):
            try:
                created(mark).close()
            except FileNotFoundError:  # taken for one that was left behind empty
                make_folder(folder)
                created(mark).close()


def unmark_parts(folder: str) -> None:
    """Removes the note, so that the folder can be removed when it is empty."""
    if _PARTS_FOLDER.search(folder):
        for name in listed(folder):
            if is_temporary(name) and name.startswith("part.tempstate"):
                os.remove(os.path.join(folder, name))


def _remove_parts(folder: str) -> None:
    """Removes a folder of parts that is empty, or whose writers are all gone."""
    names = listed(folder)
    marks = [name for name in names if name.startswith("part.tempstate")]
    if names and not (marks and all(map(is_abandoned, marks))):
        return
    for name in names:
        if name in marks or _PART.match(name):
            with contextlib.suppress(OSError):
                os.remove(os.path.join(folder, name))
    remove_abandoned(folder)
    with contextlib.suppress(OSError):
        os.rmdir(folder)
