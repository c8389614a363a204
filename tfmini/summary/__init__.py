"""`tf.summary`: files of events, which TensorBoard shows."""

from typing import Any as _Any

from tfmini import proto as _proto
from tfmini.hints import no_attribute as _no_attribute
from tfmini.train.file_writer import FileWriter, FileWriterCache

__all__ = ["FileWriter", "FileWriterCache"]

# Protocol buffers, loaded at their first use.
_MESSAGES = frozenset({"Event", "SessionLog", "Summary", "SummaryDescription", "TaggedRunMetadata"})
__all__ += sorted(_MESSAGES)


def __getattr__(name: str) -> _Any:
    if name in _MESSAGES:
        return getattr(_proto, name)
    raise _no_attribute(__name__, name, {*globals(), *_MESSAGES})


def __dir__() -> list[str]:
    return sorted({*globals(), *_MESSAGES})
