"""Names, families and collections, which all functions of `tf.summary` share."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.replica_modes import is_later_replica
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops

_NO_PART_OF_A_TAG = re.compile(r"[^-/\w.]")


def clean_tag(name: str | None) -> str | None:
    """Replaces characters that are invalid in node names with `_`, and strips leading slashes."""
    if name is None:
        return None
    clean_name = _NO_PART_OF_A_TAG.sub("_", name).lstrip("/")
    if clean_name != name:
        logs.info("Summary name %s is illegal; using %s instead.", name, clean_name)
    return clean_name


@contextlib.contextmanager
def summary_scope(
    name: str | None,
    family: str | None = None,
    default_name: str | None = None,
    values: list[Any] | None = None,
) -> Iterator[tuple[str, str]]:
    """Name scope for a summary; yields the tag and the name of its node, both prefixed by the family.

    Called through this module, because programs replace it in `tensorflow.python.ops.summary_op_util`.
    """
    name, family = clean_tag(name), clean_tag(family)
    inner = name if family is None else f"{family}/{name}"
    with name_scope(inner, default_name, values) as scope:
        tag = scope.rstrip("/")
        yield tag if family is None else f"{family}/{tag}", scope


def collect(summary: Any, collections: Iterable[str] | None, default: Iterable[str]) -> None:
    """Adds a summary to the collections, or to the default collection if None."""
    for key in default if collections is None else collections:
        add_to_collection(key, summary)


def skip_summary() -> bool:
    """Whether to skip summaries here, because only the first replica of a strategy writes them."""
    return is_later_replica()


def skipped_summary() -> Any:
    """Returns the result of a summary that is not written, an empty string."""
    return ops.constant("")
