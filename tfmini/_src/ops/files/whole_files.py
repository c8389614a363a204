"""Ops that read and write entire files, and MatchingFiles."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.formats.open_file import open_file, read_bytes
from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import Dims, copy_input_shape, with_rank, with_rank_at_most
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string, vector


def _check_scalar(value: Any, title: str) -> None:
    if array_shape(value):
        invalid(f"{title} tensor must be scalar, but had shape: {shape_text(array_shape(value))}")


@op(
    "ReadFile",
    "filename: string -> contents: string",
    infer=copy_input_shape(0, rank=0),
    uses_files=True,
)
def read_file_op(xp, filename):
    _check_scalar(filename, "Input filename")
    return read_bytes(scalar_string(filename))


@op("WriteFile", "filename: string, contents: string -> ", stateful=True, uses_files=True)
def write_file_op(xp, filename, contents):
    _check_scalar(filename, "Input filename")
    _check_scalar(contents, "Contents")
    path = scalar_string(filename)
    makedirs(os.path.dirname(path))
    with translate_errors(os.fsdecode(path)), open_file(path, "wb") as file:
        file.write(scalar_string(contents))
    return ()


@write_file_op.infer
def _(op) -> list[Dims]:
    for value in op.inputs:
        with_rank(value._dims, 0)
    return []


@op("MatchingFiles", "pattern: string -> filenames: string", uses_files=True)
def matching_files_op(xp, pattern):
    shape = array_shape(pattern)
    if len(shape) > 1:
        text = f"Input patterns tensor must be scalar or vector, but had shape: {shape_text(shape)}"
        invalid(text)
    return vector(
        sorted(path for pattern in list_strings(pattern) for path in match_paths(pattern))
    )


@matching_files_op.infer
def _(op) -> Dims:
    with_rank_at_most(op.inputs[0]._dims, 1)
    return (None,)


@public
def read_file(filename: str, name: str | None = None) -> Tensor:
    """Reads a file into a scalar string.

    Args:
      filename: scalar string tensor.

    Raises:
      NotFoundError (when run): if the file does not exist.
    """
    return raw.ReadFile(filename, name=name)


def write_file(filename: str, contents: TensorLike, name: str | None = None) -> Operation:
    """Writes a string to a file, creating parent directories.

    Args:
      filename: scalar string tensor.
      contents: scalar string tensor.
    """
    return raw.WriteFile(filename, contents, name=name)


@public
def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """Returns the sorted names of the files that match patterns.

    Args:
      pattern: scalar or vector of patterns; wildcards match within a path component.
      name: node name.

    Returns:
      [files] string Tensor.

    Raises:
      NotFoundError (when run): if the directory before the first wildcard does not exist.

    Example: `tf.matching_files("data/*.csv")`.
    """
    return raw.MatchingFiles(pattern, name=name)
