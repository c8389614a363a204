"""Garbage collection policies for exports: functions that select the paths to keep from a list."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.gfile_functions import listdir

_ADVICE = "Please implement your own file management or use Saver."

Path = namedtuple("Path", ["path", "export_version"])


@deprecated(None, _ADVICE)
def largest_export_versions(n: int) -> Callable[[list], list]:
    """Returns a policy that keeps the `n` largest versions."""

    def keep(paths: list) -> list:
        ranks = [(p.export_version, i) for i, p in enumerate(paths) if p.export_version is not None]
        return sorted(paths[i] for _, i in sorted(ranks, reverse=True)[:n])

    return keep


@deprecated(None, _ADVICE)
def one_of_every_n_export_versions(n: int) -> Callable[[list], list]:
    """Returns a policy that keeps the largest version in each interval [0, n], (n, 2n], (2n, 3n] ..."""

    def keep(paths: list) -> list:
        largest: dict[int, Any] = {}
        for path in paths:
            version = path.export_version
            if version is None:
                continue
            interval = (version - 1) // n if version else 0
            if interval not in largest or largest[interval].export_version < version:
                largest[interval] = path
        return sorted(largest.values())

    return keep


@deprecated(None, _ADVICE)
def mod_export_version(n: int) -> Callable[[list], list]:
    """Returns a policy that keeps the versions divisible by `n`."""
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


@deprecated(None, _ADVICE)
def union(lf: Callable, rf: Callable) -> Callable[[list], list]:
    """Returns a policy that keeps the paths kept by either of two policies."""
    return lambda paths: sorted({*lf(paths), *rf(paths)})


@deprecated(None, _ADVICE)
def negation(f: Callable) -> Callable[[list], list]:
    """Returns a policy that keeps the paths that another policy drops."""
    return lambda paths: sorted({*paths} - {*f(paths)})


@deprecated(None, "Please implement your own file name management.")
def get_paths(base_dir: Any, parser: Callable) -> list:
    """Returns the paths in a directory, sorted.

    Args:
      base_dir: the directory.
      parser: function from a Path without version to a Path with one, or None to skip it.

    Raises:
      NotFoundError: if the directory does not exist.
    """
    directory = os.fsdecode(base_dir)
    paths = [parser(Path(os.path.join(directory, name), None)) for name in listdir(directory)]
    return sorted(path for path in paths if path)
