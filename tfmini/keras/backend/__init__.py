"""`tf.keras.backend`: what Keras is written in, for graphs; arithmetic, values, sessions, phases, functions.

Each file is a family; `sessions` starts afresh, `functions` runs steps. What layers of any kind share of it (names,
phases, the session, settings) lives in `tfmini/layers/`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
