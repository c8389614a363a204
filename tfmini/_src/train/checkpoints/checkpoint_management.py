"""Checkpoint management: the state file `checkpoint`, and finding and removing checkpoint files."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import NotFoundError, OpError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists, remove
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.formats.schemes import local_path

_V2 = 2  # SaverDef.CheckpointFormatVersion


def _state_path(directory: str, latest_filename: str | None) -> str:
    return os.path.join(directory, "checkpoint" if latest_filename is None else latest_filename)


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[Any] | None = None,
    all_model_checkpoint_timestamps: list[Any] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """Creates a CheckpointState message.

    Args:
      save_dir: the checkpoint directory, to which relative paths refer.
      model_checkpoint_path: the latest checkpoint.
      all_model_checkpoint_paths: the retained checkpoints, oldest first; the latest is appended if it is not the last.
      all_model_checkpoint_timestamps: their creation times, in seconds since 1970.
      last_preserved_timestamp: creation time of the last checkpoint preserved permanently.

    Raises:
      ValueError: if the numbers of timestamps and paths differ.
    """
    paths = [] if all_model_checkpoint_paths is None else all_model_checkpoint_paths
    if not paths or paths[-1] != model_checkpoint_path:
        logs.info(
            "%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path
        )
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths (got paths "
            f"{paths} and timestamps {times})"
        )
    if not os.path.isabs(save_dir):
        paths = [_relative(path, save_dir) for path in paths]
        model_checkpoint_path = _relative(model_checkpoint_path, save_dir)
    return proto.CheckpointState(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )


def _relative(path: str, directory: str) -> str:
    return path if os.path.isabs(path) else os.path.relpath(path, directory or ".")


@deprecated(
    date=None,
    instructions=(
        "Use `tf.train.CheckpointManager` to manage checkpoints rather than manually editing the Checkpoint proto."
    ),
)
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[Any] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: list[Any] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the checkpoint state file, which records the latest checkpoint.

    Args:
      save_dir: the checkpoint directory.
      model_checkpoint_path: the latest checkpoint.
      all_model_checkpoint_paths: the retained checkpoints, oldest first.
      latest_filename: name of the state file, by default "checkpoint".
      all_model_checkpoint_timestamps: their creation times, in seconds since 1970.
      last_preserved_timestamp: creation time of the last checkpoint preserved permanently.

    Raises:
      RuntimeError: if the checkpoint has the name of the state file.
    """
    write_state_file(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        all_model_checkpoint_timestamps=all_model_checkpoint_timestamps,
        last_preserved_timestamp=last_preserved_timestamp,
    )


def write_state_file(
    directory: str,
    latest_path: str,
    paths: list | None = None,
    latest_filename: str | None = None,
    relative: bool = False,
    **times: Any,
) -> None:
    """Same as `update_checkpoint_state`; with `relative`, stores paths relative to the directory."""
    displayed_path = latest_path
    if relative:
        latest_path, *paths = [
            os.path.relpath(path, directory) if os.path.isabs(path) else path
            for path in (latest_path, *(paths or []))
        ]
    state = generate_checkpoint_state_proto(directory, latest_path, paths, **times)
    path = _state_path(directory, latest_filename)
    if path == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{displayed_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    with atomic_write(path) as file:
        file.write(str(state).encode())


def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> Any:
    """Returns the CheckpointState message of a directory; None if the state file is missing or unreadable.

    Args:
      checkpoint_dir: the directory.
      latest_filename: name of the state file, by default "checkpoint".

    Raises:
      ValueError: if the state file contains no checkpoint path.
    """
    path = _state_path(checkpoint_dir, latest_filename)
    if not exists(path):
        return None
    state = proto.CheckpointState()
    try:
        text = read_bytes(path)
        proto.parse_text(text.decode(), state)
    except (OpError, UnicodeDecodeError, *proto.parse_errors()) as error:
        logs.warning("%s: %s", type(error).__name__, error)
        logs.warning("%s: Checkpoint ignored", path)
        return None
    if not state.model_checkpoint_path:
        raise ValueError("Invalid checkpoint state loaded from " + checkpoint_dir)
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, name in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, name)
    return state


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """Returns the prefix of the latest checkpoint in a directory; None if the directory has no checkpoint.

    Args:
      checkpoint_dir: the directory.
      latest_filename: name of the state file, by default "checkpoint".

    Example: `saver.restore(session, tf.train.latest_checkpoint("/tmp/model"))`.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    if is_checkpoint(state.model_checkpoint_path):
        return state.model_checkpoint_path
    logs.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def matching_files(path: str) -> list[str]:
    """Returns the paths of the files that match a path or pattern."""
    if os.path.lexists(local_path(path)):
        return [path]
    try:
        return [os.fsdecode(path) for path in match_paths(os.fsencode(path))]
    except OpError:  # the directory does not exist
        return []


def path_of_prefix(prefix: str, format_version: int) -> str:
    """Returns the file that marks a checkpoint as existing: the index file in version 2, the only file in version 1."""
    return prefix + ".index" if format_version == proto.SaverDef.V2 else prefix


def is_checkpoint(prefix: str) -> bool:
    """Whether a checkpoint of version 1 or 2 exists."""
    directory = os.path.dirname(prefix)
    if directory and not exists(directory):
        raise NotFoundError(None, None, f"{directory}; No such file or directory")
    index = path_of_prefix(prefix, proto.SaverDef.V2)
    return bool(matching_files(index) or (not prefix.endswith("/") and matching_files(prefix)))


@deprecated(date=None, instructions="Use standard file APIs to check for files with this prefix.")
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether a checkpoint of version 1 or 2 exists at this prefix.

    Raises:
      NotFoundError: if its directory does not exist.
    """
    return is_checkpoint(checkpoint_prefix)


def modification_times(prefixes: list[str]) -> list[float]:
    """Returns the modification times of existing checkpoints, in seconds since 1970."""
    times = []
    for prefix in prefixes:
        files = matching_files(prefix + ".index") or matching_files(prefix)
        if files:
            times.append(os.stat(local_path(files[0])).st_mtime_ns / 1e9)
    return times


@deprecated(date=None, instructions="Use standard file utilities to get mtimes.")
def get_checkpoint_mtimes(checkpoint_prefixes: list[str]) -> list[float]:
    """Returns the modification times of checkpoints, in seconds since 1970; missing checkpoints are skipped."""
    return modification_times(checkpoint_prefixes)


@deprecated(date=None, instructions="Use standard file APIs to delete files with this prefix.")
def remove_checkpoint(
    checkpoint_prefix: str,
    checkpoint_format_version: int = _V2,
    meta_graph_suffix: str = "meta",
) -> None:
    """Removes the files of a checkpoint, including its meta graph.

    Args:
      checkpoint_prefix: the prefix of the checkpoint.
      checkpoint_format_version: a SaverDef.CheckpointFormatVersion.
      meta_graph_suffix: suffix of the meta graph file.
    """
    remove_files(checkpoint_prefix, checkpoint_format_version, meta_graph_suffix)


def remove_files(prefix: str, version: int, meta_graph_suffix: str) -> None:
    """Same as `remove_checkpoint`, but without its deprecation warning."""
    patterns = [meta_graph_filename(prefix, meta_graph_suffix)]
    if version == _V2:
        # Wildcard characters in the name of an existing checkpoint are literal.
        is_name = os.path.lexists(local_path(prefix + ".index"))
        data_pattern = re.sub(r"([*?[\\])", r"\\\1", prefix) if is_name else prefix
        # A checkpoint without its index does not exist, so the index is deleted first.
        patterns += [prefix + ".index", data_pattern + ".data-?????-of-?????"]
    else:
        patterns.append(prefix)
    for path in [path for pattern in patterns for path in matching_files(pattern)]:
        with contextlib.suppress(NotFoundError):
            remove(path)


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """Returns the path of the meta graph for a checkpoint prefix, without shard numbers."""
    return re.sub(r"-[\d?]+-of-\d+$", "", checkpoint_filename) + "." + meta_graph_suffix
