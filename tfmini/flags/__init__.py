"""`tf.flags`: the flags of a program's command line, by absl-py as in TensorFlow 1.15.

What programs of 1.x add to it is here: `FLAGS` reads the command line when it is first asked for a value
(`values`), and the definitions of the four oldest kinds take their arguments by older names too (`definitions`).
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
