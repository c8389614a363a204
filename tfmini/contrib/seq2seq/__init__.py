"""`tf.contrib.seq2seq`: sequences made one element after the other, each from those before.

`dynamic_decode` (`decoder.py`) runs a Decoder in a loop. A BasicDecoder (`basic_decoder.py`) puts a cell, an
optional layer behind it and a Helper together; the Helper says what the next input is: the given one
(`training_helper.py`), now and then the cell's own output (`scheduled_helpers.py`), or always
(`inference_helpers.py`). A BeamSearchDecoder (`beam_search.py`; its step is in `beam_steps.py`) follows several
sequences at once. AttentionWrapper (`attention_wrapper.py`) gives a cell what it needs of a memory, which an
attention mechanism (`attention.py`, `mechanisms.py`, `monotonic.py`) chooses.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
