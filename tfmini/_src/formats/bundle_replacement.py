"""Replacement of a checkpoint by one of the same name; one of the two is readable at all times.

A table does not name its shards: their names follow from the prefix and the number of shards. New shards and
their table would therefore have to appear simultaneously. Instead, the new shards get second names (hard links)
with a shard count that no checkpoint uses, and a table with this count replaces the old one. Only then
are the shards and the final table renamed. The current table always matches its shards, for TensorFlow too.

Threads of a process, such as a supervisor's and the program's, may save the same checkpoint at the same time. They
replace it in turn, since the second names follow from the prefix alone.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from tfmini._src.base.errors import DataLossError, NotFoundError
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.atomic_write import create_file, sync, sync_directory, temporary_ending
from tfmini._src.formats.bundle import MAX_SHARDS, Bundle
from tfmini._src.formats.bundle_files import data_path, index_path, remove_paths, rename_all

_replacement_lock = make_lock()


def replace_checkpoint(
    prefix: str, shards: int, suffix: str, write_table: Callable[[str, int], None], syncs: bool
) -> None:
    """Renames the complete files of a checkpoint to their final names.

    Args:
      prefix: the checkpoint, which may exist.
      shards: number of new shards.
      suffix: suffix of the temporary names of the shards and the table.
      write_table: writes a checkpoint's table, given its path and the number of shards.
      syncs: whether to flush names to disk before each step that depends on them.
    """

    def names_are_kept() -> None:
        if syncs:
            sync_directory(os.path.dirname(prefix))

    with _replacement_lock:
        in_place = _shards_in_place(prefix)
        if in_place == shards:
            _use_second_names(prefix, shards, suffix, write_table, syncs)
            names_are_kept()
        rename_all(prefix, shards, suffix, names_are_kept)
        if in_place:
            names_are_kept()
            _remove_second_names(prefix, shards)


def _shards_in_place(prefix: str) -> int:
    """Returns the number of shards of an existing checkpoint; 0 for a missing checkpoint or a damaged table."""
    try:
        return Bundle(prefix).shards
    except (NotFoundError, DataLossError):
        return 0


def _use_second_names(
    prefix: str, shards: int, suffix: str, write_table: Callable[[str, int], None], syncs: bool
) -> None:
    """Replaces the table with one that refers to the new shards by their second names."""
    _remove_second_names(prefix, shards)
    table = index_path(prefix) + temporary_ending()
    try:
        write_table(table, MAX_SHARDS)
        for i in range(shards):
            _link(data_path(prefix, i, shards) + suffix, _second_name(prefix, i), syncs)
        if syncs:
            sync_directory(os.path.dirname(prefix))
        os.replace(table, index_path(prefix))
    except BaseException:
        remove_paths([table])
        _remove_second_names(prefix, shards)
        raise


def _second_name(prefix: str, shard: int) -> str:
    return data_path(prefix, shard, MAX_SHARDS)


def _remove_second_names(prefix: str, shards: int) -> None:
    remove_paths(_second_name(prefix, i) for i in range(shards))


def _link(path: str, name: str, syncs: bool) -> None:
    """Hard-links a file to a second name; copies it if the file system does not support hard links."""
    try:
        os.link(path, name)
    except OSError:
        with open(path, "rb") as source, create_file(name) as target:
            shutil.copyfileobj(source, target, 1 << 20)
            if syncs:
                sync(target)
