from tfmini._src.contrib.eager.metrics import Accuracy as Accuracy
from tfmini._src.contrib.eager.metrics import BinaryAccuracy as BinaryAccuracy
from tfmini._src.contrib.eager.metrics import CategoricalAccuracy as CategoricalAccuracy
from tfmini._src.contrib.eager.metrics import Mean as Mean
from tfmini._src.contrib.eager.metrics import Metric as Metric
from tfmini._src.contrib.eager.metrics import SparseAccuracy as SparseAccuracy
