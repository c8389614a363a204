from tfmini.keras.applications import VGG19 as VGG19
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini.keras.applications.vgg16 import preprocess_input as preprocess_input
