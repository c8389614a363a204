"""Ops of neural networks: activations, convolutions, softmaxes, losses by element, embeddings.

`convolution`, `ctc`, `pooling` and `rnn` are families of their own inside.
"""
