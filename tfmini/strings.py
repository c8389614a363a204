"""`tf.strings`: strings in graphs."""

import typing as _typing

from tfmini.graph.opdef import ops as _ops
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.checks.printing import string_format as format
from tfmini.ops.string.string_hashes import string_to_hash_bucket as to_hash_bucket
from tfmini.ops.string.string_hashes import string_to_hash_bucket_fast as to_hash_bucket_fast
from tfmini.ops.string.string_hashes import string_to_hash_bucket_strong as to_hash_bucket_strong
from tfmini.ops.string.string_joining import reduce_join, unsorted_segment_join
from tfmini.ops.string.string_joining import string_join as join
from tfmini.ops.string.string_numbers import as_string
from tfmini.ops.string.string_numbers import string_to_number as to_number
from tfmini.ops.string.string_patterns import regex_full_match, regex_replace
from tfmini.ops.string.string_pieces import string_length as length
from tfmini.ops.string.string_pieces import string_lower as lower
from tfmini.ops.string.string_pieces import string_strip as strip
from tfmini.ops.string.string_pieces import string_upper as upper
from tfmini.ops.string.string_pieces import substr
from tfmini.ops.string.string_splitting import strings_split as split
from tfmini.ops.string.unicode import unicode_transcode
from tfmini.ops.string.unicode_scripts import unicode_script

if _typing.TYPE_CHECKING:  # they load at their first use, with ragged tensors
    from tfmini.ops.ragged.ragged_strings import (
        bytes_split,
        ngrams,
        unicode_decode,
        unicode_decode_with_offsets,
        unicode_encode,
        unicode_split,
        unicode_split_with_offsets,
    )

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "ngrams",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_encode",
    "unicode_script",
    "unicode_split",
    "unicode_split_with_offsets",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]

_namespace(globals(), lambda name: getattr(_ops, name))
