"""cuDNN through its C interface, where it is installed: recurrent nets, for which TensorFlow has no other kernels, and
convolutions, which are products of windows without it.

`library.py` finds it and holds a handle for one stream; `descriptors.py` tells it of arrays.

`rnn.py` runs nets, by the functions that came with version 8, and keeps the generator of their dropout
masks; `weight_spaces.py` finds matrices and biases in the buffer that holds a net's parameters.

`conv_forward_backward.py` has what kernels of ops call. `convolution.py` says what a convolution is, and how its
arrays lie; `algorithms.py` asks cuDNN what it has for it, `algorithm_choice.py` chooses, at first use, and
`algorithm_cache.py` keeps on disk what was measured.
"""
