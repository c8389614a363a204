"""`tf.contrib.cudnn_rnn`: layers with cuDNN's recurrent networks, which need a GPU, and cells that compute the same on
any device.

`cudnn_net_nodes.py` adds the ops; `layers.py` has the layers, each with one opaque variable; `params_converter.py`
turns that into the variables of cells and back; `opaque_params_saveable.py` has a Saver do so, `checkpoint_parts.py`
checkpoints of objects; `cells.py` has the cells. `cudnn_rnn_ops.py` and `models.py` have what came before the layers,
in TensorFlow's module `cudnn_rnn_ops`.
"""
