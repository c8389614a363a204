"""`tf.keras.datasets.imdb`: 50,000 reviews of films, as numbers of words."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
