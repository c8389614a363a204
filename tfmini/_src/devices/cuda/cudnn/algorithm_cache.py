"""Disk cache of measured cuDNN algorithms, so that later processes start faster with the same results.

One JSON file per GPU model and cuDNN version, in `~/.cache/tfmini` or `TFMINI_CUDNN_CACHE`;
TFMINI_CUDNN_CACHE=0 disables it. If a file is invalid, convolutions are timed again.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.lazy_imports import json, pathlib, tempfile
from tfmini._src.devices.cuda.cudnn.algorithms import Algorithm, Settings
from tfmini._src.devices.cuda.cudnn.convolution import Convolution
from tfmini._src.devices.cuda.cudnn.library import version_text

if TYPE_CHECKING:
    from pathlib import Path


def cache_directory() -> Path | None:
    """Returns the cache directory; None if the cache is disabled or there is no home directory."""
    named = os.environ.get("TFMINI_CUDNN_CACHE", "")
    if named == "0":
        return None
    if named:
        return pathlib.Path(named)
    with suppress(RuntimeError):  # no home directory
        return (
            pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
            / "tfmini"
        )
    return None


class AlgorithmFile:
    """The file of algorithms measured on a GPU, by a version of cuDNN, under these settings."""

    def __init__(self, physical: Any, version: int, settings: Settings):
        where = cache_directory()
        name = re.sub(r"\W+", "_", f"{physical.name} {physical.compute_capability}")
        self._path = where and where / f"convolutions-{name}-cudnn-{version_text(version)}.json"
        self._settings = settings
        self._algorithms = self._read()

    def get(self, convolution: Convolution) -> Algorithm | None:
        """Returns the fastest measured algorithm for a convolution; None if there are no measurements."""
        entry = self._algorithms.get(self._key(convolution))
        if not isinstance(entry, dict):
            return None
        with suppress(TypeError):  # damaged file
            algorithm = Algorithm(**entry)
            if _is_valid(algorithm, self._settings):
                return algorithm
        return None

    def add(self, convolution: Convolution, algorithm: Algorithm) -> None:
        """Stores a measured algorithm, and keeps algorithms that other processes have stored since."""
        self._algorithms[self._key(convolution)] = vars(algorithm)
        if self._path is None:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._algorithms = {**self._read(), **self._algorithms}
            handle, name = tempfile.mkstemp(dir=self._path.parent, suffix=".new")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._algorithms, file, indent=1)
            os.replace(name, self._path)

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def _key(self, convolution: Convolution) -> str:
        axes = (
            f"{a.size}+2*{a.before} by {a.kernel} /{a.stride} x{a.dilation}"
            for a in convolution.axes
        )
        order = "first" if convolution.channels_first else "last"
        return (
            f"{convolution.direction} {convolution.dtype} {convolution.batch} of {convolution.depth} to "
            f"{convolution.filters} in {convolution.groups}, {', '.join(axes)}, channels {order}, "
            f"tf32 {int(self._settings.tf32)}, up to {self._settings.max_workspace}"
        )


def _is_valid(algorithm: Algorithm, settings: Settings) -> bool:
    fields = (algorithm.enum_value, algorithm.math, algorithm.workspace)
    return (
        all(type(field) is int and field >= 0 for field in fields)
        and type(algorithm.channels_first) is bool
        and isinstance(algorithm.milliseconds, float)
        and algorithm.workspace <= settings.max_workspace
    )
