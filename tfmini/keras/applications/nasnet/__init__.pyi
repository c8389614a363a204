from tfmini.keras.applications import NASNetLarge as NASNetLarge
from tfmini.keras.applications import NASNetMobile as NASNetMobile
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini._src.models.keras.applications.preprocess_input import as_tensorflow as _preprocess_input; preprocess_input = _preprocess_input
