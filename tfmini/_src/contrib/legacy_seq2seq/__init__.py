"""`tf.contrib.legacy_seq2seq`: sequence-to-sequence models, unrolled step by step in the graph.

`rnn_seq2seq.py` encodes with one cell and decodes with another; `attention_decoder.py` adds attention to the
encoder's outputs; `rnn_decoder.py` contains only the decoder, `loop_function.py` the sources of its inputs,
`sequence_loss.py` the losses, and models for several lengths.
"""
