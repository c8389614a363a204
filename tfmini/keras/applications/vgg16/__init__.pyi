from tfmini.keras.applications import VGG16 as VGG16
from tfmini._src.models.keras.applications.imagenet_utils import decode_predictions as decode_predictions
from tfmini._src.models.keras.applications.preprocess_input import as_caffe as _preprocess_input; preprocess_input = _preprocess_input
