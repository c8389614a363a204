from tfmini.keras.applications import InceptionResNetV2 as InceptionResNetV2
from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini.keras.applications.nasnet import preprocess_input as preprocess_input
