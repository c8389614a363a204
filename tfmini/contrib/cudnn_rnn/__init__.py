"""`tf.contrib.cudnn_rnn`: layers with cuDNN's recurrent networks, which need a GPU, and cells that compute the same on
any device.

`nets.py` adds the ops; `layers.py` has the layers, each with one opaque variable; `converters.py` turns that into the
variables of cells and back; `saveables.py` has a Saver do so, `checkpoint_parts.py` checkpoints of objects; `cells.py`
has the cells. `functions.py` and `models.py` have what came before the layers, in TensorFlow's module `cudnn_rnn_ops`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
