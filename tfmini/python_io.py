"""`tf.python_io`: files of records, written and read without a graph."""

from tfmini.formats.record_files import (
    TFRecordCompressionType,
    TFRecordOptions,
    TFRecordWriter,
    tf_record_iterator,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "tf_record_iterator",
]

_namespace(globals())
