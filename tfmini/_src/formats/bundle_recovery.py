"""Recovery of a checkpoint whose writer was killed while renaming its files.

Some or all shards are renamed and the table is not; the table of an overwritten checkpoint, which does not match
them, may still be in place. Readers determine which table matches the shards and leave all files unchanged; the
next save completes the renaming. A matching table is never discarded.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from tfmini._src.base.errors import OpError
from tfmini._src.formats.atomic_write import TEMPORARY_MARK, is_abandoned, list_names
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_files import remove_all, remove_parts, rename_all, temporary_tables


def open_bundle(prefix: str) -> Bundle:
    """Opens a checkpoint from its matching files."""
    directory, base = os.path.split(prefix)
    names = [name for name in list_names(directory) if name.startswith(f"{base}.index.")]
    if names:
        started = _interrupted_checkpoint(prefix, temporary_tables("", names).get(base, ()))
        if started is not None:
            return started
    return Bundle(prefix)


def _interrupted_checkpoint(prefix: str, suffixes: Iterable[str]) -> Bundle | None:
    """Returns the checkpoint whose renaming was interrupted, if the current table no longer matches."""
    for suffix in suffixes:
        try:
            bundle = Bundle(prefix, suffix)
            if not bundle.is_partly_renamed() or _is_complete(prefix):
                continue
            bundle.check_all()
        except OpError:
            continue
        return bundle
    return None


def _is_complete(prefix: str) -> bool:
    try:
        Bundle(prefix).check_all()
    except OpError:
        return False
    return True


def clean_up(directory: str) -> None:
    """Completes or removes the leftovers of dead processes in a checkpoint directory."""
    names = list_names(directory)
    abandoned = {name for name in names if TEMPORARY_MARK in name and is_abandoned(name)}
    for prefix, suffixes in temporary_tables(directory, abandoned).items():
        bundle = _interrupted_checkpoint(prefix, suffixes)
        if bundle is not None:
            with contextlib.suppress(OSError):
                rename_all(prefix, bundle.shards, bundle.ending)
                continue
            # Kept for a later attempt.
            abandoned = {name for name in abandoned if not name.endswith(bundle.ending)}
    remove_all(directory, abandoned)
    remove_parts(directory, names)
