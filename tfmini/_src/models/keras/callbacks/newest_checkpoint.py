"""Finds the latest file saved by a ModelCheckpoint, to resume training."""

from __future__ import annotations

import os
import re

from tfmini._src.formats.gfile_functions import exists, isdir, listdir
from tfmini._src.formats.schemes import local_path
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint


def newest_file(pattern: str) -> str | None:
    """Returns the latest path that matches a pattern such as "weights{epoch:02d}.h5", or None.

    The directory's `checkpoint` file takes precedence, followed by the modification time and the name.
    """
    directory, name = os.path.split(pattern)
    matching = re.compile("^" + re.sub(r"{.*}", ".*", name) + "$")
    latest_path = latest_checkpoint(directory)
    if latest_path is not None and matching.match(os.path.basename(latest_path)):
        return latest_path
    if not isdir(directory):
        return None
    paths = [os.path.join(directory, name) for name in listdir(directory) if matching.match(name)]
    if not paths:
        return None
    times = {path: os.path.getmtime(local_path(path)) for path in paths}
    newest = [path for path in paths if times[path] == max(times.values())]
    return newest[0] if len(newest) == 1 else max(paths)


def path_exists(path: str) -> bool:
    """Whether a path is a file, a directory, or a checkpoint prefix."""
    names = [path] if path.endswith(".h5") else [path, path + ".index"]
    return any(exists(name) for name in names)
