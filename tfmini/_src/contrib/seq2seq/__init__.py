"""`tf.contrib.seq2seq`: generates sequences element by element, each from the previous ones.

`dynamic_decode` (`decoder.py`) runs a Decoder in a loop. A BasicDecoder (`basic_decoder.py`) combines a cell, an
optional output layer and a Helper, which determines the next input: a target (`training_helper.py`), sometimes
(`scheduled_helpers.py`) or always (`inference_helpers.py`) the cell's own output. A BeamSearchDecoder
(`beam_search_decoder.py`, with its step in `beam_search_step.py`) tracks several sequences at once. AttentionWrapper
(`attention_wrapper.py`) adds attention over a memory to a cell, computed by an attention mechanism
(`attention_mechanism.py`, `scored_attention.py`, `monotonic_attention.py`).
"""
