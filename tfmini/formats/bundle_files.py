"""The files of a checkpoint: their names, how they get them all at once, and what is done when that was cut short.

A checkpoint is several files, and no system renames several at once. So all are complete under temporary names
first, the table's last. Then the shards are renamed, and then the table. A table under its temporary name with a
shard that has got its own: the renaming had begun. Whoever comes next, to read or to write, ends it, so that a
table never stands beside shards that are not its own.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import defaultdict

from tfmini.formats.system_errors import translated
from tfmini.formats.whole_files import (
    is_abandoned,
    is_temporary,
    listed,
    make_folder,
    remove_abandoned,
    temporary_ending,
)

_TEMPORARY = re.compile(r"(.*)\.(index|data-(\d{5,})-of-(\d{5,}))(\.tempstate[-0-9a-f]+)$", re.S)
# Where the shards of a save are until they are merged: a folder of the Saver's making.
_PARTS_FOLDER = re.compile(r"_temp_[0-9a-f]{32}$")
_PART = re.compile(r"part(-\d{5,}-of-\d{5,}\.(index|data-\d{5,}-of-\d{5,}).*)?$")


def index_path(prefix: str) -> str:
    """The file of a checkpoint's table."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The file of one of its shards."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def rename_all(prefix: str, shards: int, ending: str) -> None:
    """Gives the files of a checkpoint, complete under their names with `ending`, their own; some may have them."""
    for path in [data_path(prefix, i, shards) for i in range(shards)] + [index_path(prefix)]:
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + ending, path)


def finish_renaming(prefix: str) -> None:
    """Ends the renaming of a checkpoint that was cut short."""
    folder, base = os.path.split(prefix)
    _finish(folder, [name for name in listed(folder) if name.startswith(base + ".")])


def _finish(folder: str, names: list[str]) -> None:
    waiting: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in names:
        found = _TEMPORARY.match(name)
        if found and is_temporary(name):
            waiting[found[1], found[5]].add(found[2])
    for (base, ending), files in waiting.items():
        if "index" not in files:
            continue
        shards = [name for name in files if name != "index"]
        count = int(shards[0].rpartition("-")[2]) if shards else 0
        if len(shards) < count or not shards:
            with contextlib.suppress(OSError):  # where only reading is allowed
                rename_all(os.path.join(folder, base), count, ending)


def clean_up(folder: str) -> None:
    """Ends or removes what processes that are gone left in a folder of checkpoints."""
    names = listed(folder)
    left = [name for name in names if is_abandoned(name)]
    _finish(folder, left)
    # Tables first: without one, nothing looks like a renaming that had begun.
    for name in sorted(left, key=lambda name: ".index" not in name):
        with contextlib.suppress(OSError):
            os.remove(os.path.join(folder, name))
    for name in names:
        if _PARTS_FOLDER.search(name):
            _remove_parts(os.path.join(folder, name))


def make_parts_folder(folder: str) -> None:
    """Makes the folder of a checkpoint; in one of parts it notes which process saves there."""
    make_folder(folder)
    if _PARTS_FOLDER.search(folder):
        mark = os.path.join(folder, "part" + temporary_ending())
        with translated(mark):
            try:
                open(mark, "wb").close()
            except FileNotFoundError:  # taken for one that was left behind empty
                make_folder(folder)
                open(mark, "wb").close()


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
