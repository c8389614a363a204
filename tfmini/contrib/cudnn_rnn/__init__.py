"""`tf.contrib.cudnn_rnn`: layers with cuDNN's recurrent networks, which need a GPU, and cells that compute the same on
any device.

`nets.py` adds the ops; `layers.py` has the layers, each with one opaque variable; `converters.py` turns that into the
variables of cells and back; `saveables.py` has a Saver do so, `checkpoint_parts.py` checkpoints of objects; `cells.py`
has the cells. `functions.py` and `models.py` have what came before the layers, in TensorFlow's module `cudnn_rnn_ops`.
"""

from tfmini.contrib.cudnn_rnn.cells import CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell
from tfmini.contrib.cudnn_rnn.converters import (
    CudnnParamsFormatConverterGRU,
    CudnnParamsFormatConverterLSTM,
    CudnnParamsFormatConverterRelu,
    CudnnParamsFormatConverterTanh,
)
from tfmini.contrib.cudnn_rnn.layers import CudnnGRU, CudnnLSTM, CudnnRNNRelu, CudnnRNNTanh
from tfmini.contrib.cudnn_rnn.saveables import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CudnnCompatibleGRUCell",
    "CudnnCompatibleLSTMCell",
    "CudnnGRU",
    "CudnnGRUSaveable",
    "CudnnLSTM",
    "CudnnLSTMSaveable",
    "CudnnParamsFormatConverterGRU",
    "CudnnParamsFormatConverterLSTM",
    "CudnnParamsFormatConverterRelu",
    "CudnnParamsFormatConverterTanh",
    "CudnnRNNRelu",
    "CudnnRNNReluSaveable",
    "CudnnRNNTanh",
    "CudnnRNNTanhSaveable",
]

_namespace(globals())
