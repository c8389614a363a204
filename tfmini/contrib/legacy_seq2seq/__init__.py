"""`tf.contrib.legacy_seq2seq`: sequences to sequences, unrolled step by step in the graph.

`models.py` reads with one cell and says with another, `attention.py` lets the second look at what the
first read, `decoders.py` holds the saying alone, `feeding.py` where its inputs come from, `losses.py` the
losses and models for several lengths.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
