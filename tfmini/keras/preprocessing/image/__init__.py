"""`tf.keras.preprocessing.image`: pictures as arrays, distorted at random, in batches.

`pictures` reads and writes them, `transforms` distorts arrays, `iterators`, `files` and `frames` make batches,
`generator` has the settings of it all.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
