from tfmini._src.contrib.sparsemax import sparsemax as sparsemax
from tfmini._src.contrib.sparsemax import sparsemax_loss as sparsemax_loss
