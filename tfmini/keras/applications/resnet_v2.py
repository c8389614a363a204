"""`tf.keras.applications.resnet_v2`: residual networks with activations first."""

from tfmini.keras.applications.imagenet_utils import decode_predictions
from tfmini.keras.applications.preparing import as_tensorflow as preprocess_input
from tfmini.keras.applications.residual import ResNet50V2, ResNet101V2, ResNet152V2
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["ResNet101V2", "ResNet152V2", "ResNet50V2", "decode_predictions", "preprocess_input"]

_namespace(globals())
