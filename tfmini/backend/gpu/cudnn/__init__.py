"""cuDNN through its C interface, where it is installed: recurrent nets, for which TensorFlow has no other kernels.

`library.py` finds it and holds a handle for one stream; `descriptors.py` tells it of arrays; `recurrent_nets.py` runs
nets, by the functions that came with version 8, and keeps the generator of their dropout masks;
`weight_spaces.py` finds matrices and biases in the buffer that holds a net's parameters.
"""
