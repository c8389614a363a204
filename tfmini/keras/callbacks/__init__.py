"""`tf.keras.callbacks`: what is called while a model is trained.

`base` has the class and lists of callbacks; `recording` keeps and shows what happens, `tensorboard` writes
it, `watching` stops, saves and changes the learning rate.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
