from tfmini.keras.applications.vgg16 import decode_predictions as decode_predictions
from tfmini._src.models.keras.applications.imagenet_utils import preprocess_input as preprocess_input
