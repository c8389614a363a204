"""`tf.contrib.cudnn_rnn`: cells that compute, on any device, what cuDNN's recurrent networks do."""

from tfmini.contrib.cudnn_rnn.cells import CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["CudnnCompatibleGRUCell", "CudnnCompatibleLSTMCell"]

_namespace(globals())
