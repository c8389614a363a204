"""`tf.summary`: what TensorBoard shows of a program, and the files of events that carry it."""

import typing as _typing
from functools import partial as _partial

from tfmini import proto as _proto
from tfmini.events.file_writer import FileWriter, FileWriterCache
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.summaries.images import image
from tfmini.ops.summaries.merging import merge, merge_all
from tfmini.ops.summaries.sounds import audio
from tfmini.ops.summaries.tensors import get_summary_description, tensor_summary, text
from tfmini.ops.summaries.values import histogram, scalar
from tfmini.train.recording.writers import all_v2_summary_ops, initialize

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
    "all_v2_summary_ops",
    "audio",
    "get_summary_description",
    "histogram",
    "image",
    "initialize",
    "merge",
    "merge_all",
    "scalar",
    "tensor_summary",
    "text",
]

_namespace(globals(), _partial(getattr, _proto))
