"""cuDNN through its C interface, if installed: recurrent networks, for which TensorFlow has no other kernels, and
convolutions, which are otherwise computed as matrix products.

`library.py` loads cuDNN and holds a handle for one stream; `descriptors.py` creates its array descriptors.

`rnn.py` runs recurrent networks with the functions of version 8 and holds the random states of their dropout masks;
`weight_spaces.py` finds matrices and biases in a network's parameter buffer.

`conv_forward_backward.py` is the entry point of the ops' kernels. `convolution.py` describes a convolution and its
array layouts; `algorithms.py` queries cuDNN's algorithms, `algorithm_choice.py` chooses one at first use, and
`algorithm_cache.py` stores measurements on disk.
"""
