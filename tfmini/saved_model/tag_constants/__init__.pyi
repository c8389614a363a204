from tfmini.saved_model import GPU as GPU
from tfmini.saved_model import SERVING as SERVING
from tfmini.saved_model import TPU as TPU
from tfmini.saved_model import TRAINING as TRAINING
