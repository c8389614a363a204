"""Ops that a server allows in graphs from other processes: a graph is a program.

TFMINI_SERVER_OPS=-files,-python forbids ops that read or write files and those that call Python functions. Feeds,
fetches and variables stay as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError, PermissionDeniedError

_KINDS = {
    "-files": re.compile(
        "ReadFile|WriteFile|MatchingFiles.*|Save|SaveSlices|SaveV2|Restore|RestoreSlice|RestoreV2|MergeV2Checkpoints"
        "|(WholeFile|TextLine|TFRecord|FixedLengthRecord|LMDB)Reader(V2)?|RecordInput|InitializeTableFromTextFile(V2)?"
        "|.*(TFRecord|TextLine|FixedLengthRecord|CSV|LMDB|Sql|Snapshot|Cache)Dataset(V2)?|.*DatasetToTFRecord"
        "|CreateSummary(File|Db)Writer|Debug(Identity|NanCount|NumericSummary)(V2)?|LoadAndRemapMatrix"
        "|GenerateVocabRemapping|.*CheckpointFile.*"
    ),
    "-python": re.compile("PyFunc|PyFuncStateless|EagerPyFunc"),
}
# Ops that read or write a file where an attribute has this form.
_FILES_BY_ATTRIBUTES = {
    "PrintV2": ("output_stream", re.compile(b"file://.*", re.DOTALL)),
    "FixedUnigramCandidateSampler": ("vocab_file", re.compile(b".+", re.DOTALL)),
}


def forbidden() -> list[tuple[str, re.Pattern[str]]]:
    """Patterns of the ops that TFMINI_SERVER_OPS forbids, with their words.

    Raises:
      InvalidArgumentError: for a word that is none of "-files" and "-python".
    """
    words = [word.strip() for word in os.environ.get("TFMINI_SERVER_OPS", "").split(",")]
    unknown = [word for word in words if word and word not in _KINDS]
    if unknown:
        known = ", ".join(_KINDS)
        raise InvalidArgumentError(
            None, None, f"TFMINI_SERVER_OPS may have {known}; it has {unknown[0]!r}"
        )
    return [(word, _KINDS[word]) for word in words if word]


def check_graph(graph_def: Any) -> None:
    """Checks a GraphDef from another process, including its functions.

    Raises:
      PermissionDeniedError: for an op that this server forbids.
    """
    rules = forbidden()
    for node in _nodes(graph_def) if rules else ():
        for word, pattern in rules:
            if pattern.fullmatch(node.op) or (word == "-files" and _names_file(node)):
                raise PermissionDeniedError(
                    None,
                    None,
                    f"{node.op} ({node.name}) is not allowed on this server (TFMINI_SERVER_OPS={word})",
                )


def _names_file(node: Any) -> bool:
    name, pattern = _FILES_BY_ATTRIBUTES.get(node.op, ("", None))
    return pattern is not None and bool(pattern.fullmatch(node.attr[name].s))


def _nodes(graph_def: Any) -> Iterator[Any]:
    yield from graph_def.node
    for function in graph_def.library.function:
        yield from function.node_def
