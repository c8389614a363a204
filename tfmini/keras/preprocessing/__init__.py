"""`tf.keras.preprocessing`: sequences, text and images as arrays.

`sequence` pads and pairs, `text` numbers words, `image` reads, distorts and batches images.
"""

from tfmini.keras.preprocessing import image, sequence, text
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["image", "sequence", "text"]

_namespace(globals())
