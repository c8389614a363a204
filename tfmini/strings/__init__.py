"""`tf.strings`: strings in graphs."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.printing import string_format as format

__all__ = ["format"]

__getattr__ = _no_attributes(__name__, globals())
