from tfmini.keras.applications import ResNet50 as ResNet50
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini.keras.applications.vgg16 import preprocess_input as preprocess_input
