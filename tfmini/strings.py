"""`tf.strings`: strings in graphs."""

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

__all__ = [
    "as_string",
    "format",
    "join",
    "length",
    "lower",
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
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]

_namespace(globals())
