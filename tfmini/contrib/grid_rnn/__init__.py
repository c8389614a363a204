"""`tf.contrib.grid_rnn`: grid LSTM cells, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
