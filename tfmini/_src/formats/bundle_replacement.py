"""Replacement of a checkpoint by one of the same name: one of the two is readable at every moment.

A table does not name its shards: their names follow from the prefix and the number of shards. New shards and
their table would therefore have to appear in the same moment. Instead the new shards get second names, hard links,
which belong to a number of shards that no checkpoint has, and a table of this number replaces the old one. Only then
do the shards and the final table replace theirs. Each table in place fits its shards, for TensorFlow too.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from tfmini._src.base.errors import DataLossError, NotFoundError
from tfmini._src.formats.atomic_write import created, sync, sync_folder, temporary_ending
from tfmini._src.formats.bundle import MOST_SHARDS, Bundle
from tfmini._src.formats.bundle_files import data_path, index_path, remove_paths, rename_all


def replace_checkpoint(
    prefix: str, shards: int, ending: str, write_table: Callable[[str, int], None], syncs: bool
) -> None:
    """Gives the complete files of a checkpoint their names.

    Args:
      prefix: the checkpoint, which may exist.
      shards: the number of new shards.
      ending: the suffix of their temporary names, and of the temporary name of their table.
      write_table: writes the table of a checkpoint, by its path and the number of shards.
      syncs: wait until the disk has the names on which the next step relies.
    """

    def names_are_kept() -> None:
        if syncs:
            sync_folder(os.path.dirname(prefix))

    in_place = _shards_in_place(prefix)
    if in_place == shards:
        _use_second_names(prefix, shards, ending, write_table, syncs)
        names_are_kept()
    rename_all(prefix, shards, ending, names_are_kept)
    if in_place:
        names_are_kept()
        _remove_second_names(prefix, shards)


def _shards_in_place(prefix: str) -> int:
    """The number of shards of an existing checkpoint; 0 if there is none, or its table is damaged."""
    try:
        return Bundle(prefix).shards
    except (NotFoundError, DataLossError):
        return 0


def _use_second_names(
    prefix: str, shards: int, ending: str, write_table: Callable[[str, int], None], syncs: bool
) -> None:
    """Replaces the table by one that refers to second names of the new shards."""
    _remove_second_names(prefix, shards)
    table = index_path(prefix) + temporary_ending()
    try:
        write_table(table, MOST_SHARDS)
        for i in range(shards):
            _link(data_path(prefix, i, shards) + ending, _second_name(prefix, i), syncs)
        if syncs:
            sync_folder(os.path.dirname(prefix))
        os.replace(table, index_path(prefix))
    except BaseException:
        remove_paths([table])
        _remove_second_names(prefix, shards)
        raise


def _second_name(prefix: str, shard: int) -> str:
    return data_path(prefix, shard, MOST_SHARDS)


def _remove_second_names(prefix: str, shards: int) -> None:
    remove_paths(_second_name(prefix, i) for i in range(shards))


def _link(path: str, name: str, syncs: bool) -> None:
    """Gives a file a second name; on a file system without hard links, to a copy."""
    try:
        os.link(path, name)
    except OSError:
        with open(path, "rb") as source, created(name) as target:
            shutil.copyfileobj(source, target, 1 << 20)
            if syncs:
                sync(target)
