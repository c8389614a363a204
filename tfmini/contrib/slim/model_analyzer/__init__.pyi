from tfmini._src.contrib.slim.model_analyzer import analyze_ops as analyze_ops
from tfmini._src.contrib.slim.model_analyzer import analyze_vars as analyze_vars
from tfmini._src.contrib.slim.model_analyzer import tensor_description as tensor_description
