"""`tf.strings`: strings in graphs."""

from tfmini.ops.printing import string_format as format

__all__ = ["format"]
