"""Names of TensorFlow 1.15.5 that tfmini lacks, read lazily from docs/left_out.md.

A table row there lists an owner and its names, `| tf.nn | `conv3d` `max_pool` |`; the owner `ops` stands for
op types. The document is next to `tfmini/` in the source tree and inside it in an installed package.
"""

from __future__ import annotations

import functools
import re
import sys
from typing import TYPE_CHECKING

from tfmini._src.base.names.lazy_imports import pathlib

if TYPE_CHECKING:
    from pathlib import Path

_ROW = re.compile(r"\| (ops|tf[\w.]*) \|(.*)\|")


def document_path() -> Path:
    """Returns the path of `left_out.md`, in the package or the checkout."""
    package = pathlib.Path(sys.modules[__name__.partition(".")[0]].__path__[0])
    packaged = package / "_src" / "docs" / "left_out.md"
    return packaged if packaged.exists() else package.parent / "docs" / "left_out.md"


def parse_rows(text: str) -> list[tuple[int, str, list[str]]]:
    """Returns the (line number, owner, names) rows of the document."""
    entries = []
    for line_number, line in enumerate(text.splitlines(), 1):
        row = _ROW.fullmatch(line)
        if row:
            entries.append((line_number, row[1], re.findall("`([^`]+)`", row[2])))
    return entries


@functools.cache
def _left_out_names() -> frozenset[str]:
    text = document_path().read_text(encoding="utf-8")
    names_by_owner = (
        ("tf.raw_ops" if o == "ops" else o, names) for _, o, names in parse_rows(text)
    )
    return frozenset(f"{owner}.{name}" for owner, names in names_by_owner for name in names)


@functools.cache
def _names_and_parents() -> frozenset[str]:
    names = set()
    for full in _left_out_names():
        while full not in names and full != "tf":
            names.add(full)
            full = full.rpartition(".")[0]
    return frozenset(names)


def is_left_out(name: str) -> bool:
    """Whether a name or one of its parents has a row."""
    while name and name not in _left_out_names():
        name = name.rpartition(".")[0]
    return name != ""


def is_tensorflow_name(name: str) -> bool:
    """Whether a name that tfmini lacks, such as `tf.keras` or `tf.nn.conv3d`, exists in TensorFlow 1.15.5."""
    return name in _names_and_parents()
