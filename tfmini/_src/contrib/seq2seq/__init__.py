"""`tf.contrib.seq2seq`: sequences made one element after the other, each from those before.

`dynamic_decode` (`decoder.py`) runs a Decoder in a loop. A BasicDecoder (`basic_decoder.py`) puts a cell, an optional
layer behind it and a Helper together; the Helper says what the next input is: the given one (`training_helper.py`),
now and then the cell's own output (`scheduled_helpers.py`), or always (`inference_helpers.py`). A BeamSearchDecoder
(`beam_search_decoder.py`; its step is in `beam_search_step.py`) follows several sequences at once. AttentionWrapper
(`attention_wrapper.py`) gives a cell what it needs of a memory, which an attention mechanism
(`attention_mechanism.py`, `luong_and_bahdanau_attention.py`, `monotonic_attention.py`) chooses.
"""
