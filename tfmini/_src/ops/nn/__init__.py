"""Neural network ops: activations, convolutions, softmaxes, elementwise losses, embeddings.

`convolution`, `ctc`, `pooling` and `rnn` are subpackages.
"""
