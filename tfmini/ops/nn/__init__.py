"""Ops of neural networks: activations, convolutions, softmaxes, losses by element, embeddings.

`ctc` and `rnn` are families of their own inside.
"""
