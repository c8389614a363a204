"""`tf.keras.preprocessing`: sequences, text and images as arrays.

`sequence` pads and pairs, `text` numbers words, `image` reads, distorts and batches images.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
