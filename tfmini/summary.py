"""`tf.summary`: files of events, which TensorBoard shows."""

import typing as _typing
from functools import partial as _partial

from tfmini import proto as _proto
from tfmini.events.file_writer import FileWriter, FileWriterCache
from tfmini.names.namespaces import namespace as _namespace

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.proto import (
        Event,
        SessionLog,
        Summary,
        SummaryDescription,
        TaggedRunMetadata,
    )

__all__ = [
    "Event",
    "FileWriter",
    "FileWriterCache",
    "SessionLog",
    "Summary",
    "SummaryDescription",
    "TaggedRunMetadata",
]

_namespace(globals(), _partial(getattr, _proto))
