"""`tf.contrib.cudnn_rnn`: recurrent layers backed by cuDNN (GPU only), and equivalent cells for any device.

`cudnn_net_nodes.py` adds the ops; `layers.py` defines the layers, each with one opaque variable;
`params_converter.py` converts it to and from the variables of cells; `opaque_params_saveable.py` does so in a Saver,
`checkpoint_parts.py` in object-based checkpoints; `cells.py` defines the cells. `cudnn_rnn_ops.py` and `models.py`
contain the predecessors of the layers, TensorFlow's module `cudnn_rnn_ops`.
"""
