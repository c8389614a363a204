"""`tf.keras.applications.vgg19`: Simonyan's and Zisserman's network of 19 layers."""

from tfmini.keras.applications.imagenet_utils import decode_predictions
from tfmini.keras.applications.preparing import as_caffe as preprocess_input
from tfmini.keras.applications.vgg import VGG19
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["VGG19", "decode_predictions", "preprocess_input"]

_namespace(globals())
