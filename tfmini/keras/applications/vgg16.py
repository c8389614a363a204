"""`tf.keras.applications.vgg16`: Simonyan's and Zisserman's network of 16 layers."""

from tfmini.keras.applications.imagenet_utils import decode_predictions
from tfmini.keras.applications.preparing import as_caffe as preprocess_input
from tfmini.keras.applications.vgg import VGG16
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["VGG16", "decode_predictions", "preprocess_input"]

_namespace(globals())
