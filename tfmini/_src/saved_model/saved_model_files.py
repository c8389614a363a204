"""Paths in SavedModels, and reading of the SavedModel message."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.saved_model.constants import (
    ASSETS_DIRECTORY,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)
from tfmini._src.train.meta_graph.write_graph import parse_text_file


def message_path(directory: str | bytes, as_text: bool = False) -> str:
    """Returns the path of the SavedModel message."""
    name = SAVED_MODEL_FILENAME_PBTXT if as_text else SAVED_MODEL_FILENAME_PB
    return os.path.join(os.fsdecode(directory), name)


def variables_prefix(directory: str | bytes) -> str:
    """Returns the prefix of the checkpoint in a SavedModel."""
    return os.path.join(os.fsdecode(directory), VARIABLES_DIRECTORY, VARIABLES_FILENAME)


def assets_directory(directory: str | bytes) -> str:
    return os.path.join(os.fsdecode(directory), ASSETS_DIRECTORY)


def read_saved_model(directory: str | bytes) -> Any:
    """Reads the SavedModel message in a directory, from `saved_model.pb` or else `saved_model.pbtxt`.

    Raises:
      OSError: if neither file exists, or its content is invalid.
      DataLossError: if `saved_model.pbtxt` is not in text format.
    """
    path = message_path(directory)
    if exists(path):
        try:
            return proto.SavedModel.FromString(read_bytes(os.fsencode(path)))
        except proto.parse_errors()[0]:
            raise OSError(
                f"Cannot parse file {os.fsencode(path)!r}: Error parsing message with type "
                f"'{proto.SavedModel.DESCRIPTOR.full_name}'."
            ) from None
    path = message_path(directory, as_text=True)
    if exists(path):
        path_bytes = os.fsencode(path)
        try:
            text = read_bytes(path_bytes).decode()
        except UnicodeDecodeError as error:
            raise DataLossError(None, None, f"Cannot parse file {path_bytes!r}: {error}") from None
        return parse_text_file(text, proto.SavedModel, path_bytes)
    raise OSError(
        f"SavedModel file does not exist at: {os.fsdecode(directory)}/"
        f"{{{SAVED_MODEL_FILENAME_PBTXT}|{SAVED_MODEL_FILENAME_PB}}}"
    )
