"""`tf.python_io`: files of records, written and read without a graph."""

from tfmini.formats.record_files import (
    TFRecordCompressionType,
    TFRecordOptions,
    TFRecordWriter,
    tf_record_iterator,
)
from tfmini.hints import no_attributes as _no_attributes

__all__ = [
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "tf_record_iterator",
]

__getattr__ = _no_attributes(__name__, globals())
