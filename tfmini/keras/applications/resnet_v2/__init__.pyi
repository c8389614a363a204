from tfmini.keras.applications import ResNet101V2 as ResNet101V2
from tfmini.keras.applications import ResNet152V2 as ResNet152V2
from tfmini.keras.applications import ResNet50V2 as ResNet50V2
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini.keras.applications.nasnet import preprocess_input as preprocess_input
