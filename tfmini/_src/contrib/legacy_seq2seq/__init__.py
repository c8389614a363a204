"""`tf.contrib.legacy_seq2seq`: sequences to sequences, unrolled step by step in the graph.

`rnn_seq2seq.py` encodes with one cell and decodes with another, `attention_decoder.py` lets the second attend to the
first read, `rnn_decoder.py` contains only the decoder, `loop_function.py` the sources of its inputs, `sequence_loss.py`
the losses and models for several lengths.
"""
