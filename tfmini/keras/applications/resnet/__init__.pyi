from tfmini.keras.applications import ResNet101 as ResNet101
from tfmini.keras.applications import ResNet152 as ResNet152
from tfmini.keras.applications import ResNet50 as ResNet50
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini.keras.applications.vgg16 import preprocess_input as preprocess_input
