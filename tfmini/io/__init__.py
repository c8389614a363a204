"""`tf.io`: files, and records in them."""

from tfmini.formats.record_files import (
    TFRecordCompressionType,
    TFRecordOptions,
    TFRecordWriter,
    tf_record_iterator,
)
from tfmini.io import gfile
from tfmini.meta_graphs.graph_files import write_graph
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.files.file_contents import matching_files, read_file, write_file
from tfmini.ops.image.file_functions import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_image,
    decode_jpeg,
    decode_png,
    encode_jpeg,
    extract_jpeg_shape,
    is_jpeg,
)
from tfmini.ops.parsing.comma_separated import decode_csv
from tfmini.ops.parsing.examples import parse_example, parse_single_example
from tfmini.ops.parsing.feature_specs import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
)
from tfmini.ops.parsing.sequence_batches import parse_sequence_example
from tfmini.ops.parsing.sequence_examples import parse_single_sequence_example
from tfmini.ops.parsing.serialized_tensors import (
    decode_json_example,
    parse_tensor,
    serialize_tensor,
)
from tfmini.ops.queues.queue_objects import (
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)
from tfmini.ops.sparse.sparse_serialized import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from tfmini.ops.string.string_encodings import (
    decode_base64,
    decode_compressed,
    decode_raw,
    encode_base64,
)
from tfmini.train.feeding.producers import match_filenames_once

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
    "SparseFeature",
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_and_crop_jpeg",
    "decode_base64",
    "decode_bmp",
    "decode_compressed",
    "decode_csv",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_json_example",
    "decode_png",
    "decode_raw",
    "deserialize_many_sparse",
    "encode_base64",
    "encode_jpeg",
    "extract_jpeg_shape",
    "gfile",
    "match_filenames_once",
    "is_jpeg",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_many_sparse",
    "serialize_sparse",
    "serialize_tensor",
    "tf_record_iterator",
    "write_file",
    "write_graph",
]

_namespace(globals())
