from tfmini.keras.applications import DenseNet121 as DenseNet121
from tfmini.keras.applications import DenseNet169 as DenseNet169
from tfmini.keras.applications import DenseNet201 as DenseNet201
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini._src.models.keras.applications.preprocess_input import as_torch as _preprocess_input; preprocess_input = _preprocess_input
