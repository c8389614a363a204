"""`tf.contrib.learn`: its data sets and vocabularies, Estimators fitted by arrays, Experiments.

model_functions, heads, several_heads, several_labels   what models are built for, and what they return
run_config, metric_spec, signatures     how and where; what is measured; what inputs are
array_feeding, data_frames, reading     arrays, data frames and files as inputs
estimator, ready, linear, dnn, wide_and_deep, clusters, logistic_regressor      Estimators
experiment, experiment_runs, running     Experiments; tensors run some times
serving_inputs, export_strategies        what exports are fed, and when they are
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
