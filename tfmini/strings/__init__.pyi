from tfmini import as_string as as_string
from tfmini._src.ops.ragged.ragged_string_split import bytes_split as bytes_split
from tfmini._src.ops.checks.printing import string_format as _format; format = _format
from tfmini import string_join as _join; join = _join
from tfmini._src.ops.string.string_functions import string_length as _length; length = _length
from tfmini._src.ops.string.string_functions import string_lower as _lower; lower = _lower
from tfmini._src.ops.ragged.ngrams import ngrams as ngrams
from tfmini import reduce_join as reduce_join
from tfmini._src.ops.string.regex_replace import regex_full_match as regex_full_match
from tfmini import regex_replace as regex_replace
from tfmini._src.ops.string.string_split import strings_split as _split; split = _split
from tfmini import string_strip as _strip; strip = _strip
from tfmini._src.ops.string.string_functions import substr as substr
from tfmini import string_to_hash_bucket as _to_hash_bucket; to_hash_bucket = _to_hash_bucket
from tfmini import string_to_hash_bucket_fast as _to_hash_bucket_fast; to_hash_bucket_fast = _to_hash_bucket_fast
from tfmini import string_to_hash_bucket_strong as _to_hash_bucket_strong; to_hash_bucket_strong = _to_hash_bucket_strong
from tfmini import string_to_number as _to_number; to_number = _to_number
from tfmini._src.ops.ragged.ragged_unicode import unicode_decode as unicode_decode
from tfmini._src.ops.ragged.ragged_unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from tfmini._src.ops.ragged.ragged_unicode import unicode_encode as unicode_encode
from tfmini._src.ops.string.unicode_scripts import unicode_script as unicode_script
from tfmini._src.ops.ragged.ragged_unicode import unicode_split as unicode_split
from tfmini._src.ops.ragged.ragged_unicode import unicode_split_with_offsets as unicode_split_with_offsets
from tfmini._src.ops.string.unicode import unicode_transcode as unicode_transcode
from tfmini._src.ops.string.string_join import unsorted_segment_join as unsorted_segment_join
from tfmini._src.ops.string.string_functions import string_upper as _upper; upper = _upper
