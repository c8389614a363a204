"""Keras 3's `.keras` archives: a zip of `metadata.json`, `config.json` and `model.weights.h5`."""

from __future__ import annotations

import json
import zipfile
from typing import Any

_METADATA, _CONFIG, WEIGHTS = "metadata.json", "config.json", "model.weights.h5"


def is_archive(path: str) -> bool:
    """Whether a file is a `.keras` archive."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return {_METADATA, _CONFIG} <= set(archive.namelist())


def read_version_and_config(path: str) -> tuple[str, dict[str, Any]]:
    """Returns the Keras version that wrote an archive, and its model configuration."""
    with zipfile.ZipFile(path) as archive:
        metadata = json.loads(archive.read(_METADATA))
        return str(metadata.get("keras_version", "3")), json.loads(archive.read(_CONFIG))
