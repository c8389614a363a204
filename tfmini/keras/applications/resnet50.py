"""`tf.keras.applications.resnet50`: the residual network of 50 layers."""

from tfmini.keras.applications.imagenet_utils import decode_predictions
from tfmini.keras.applications.preparing import as_caffe as preprocess_input
from tfmini.keras.applications.residual import ResNet50
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["ResNet50", "decode_predictions", "preprocess_input"]

_namespace(globals())
