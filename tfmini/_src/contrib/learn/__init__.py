"""`tf.contrib.learn`: data sets and vocabularies, Estimators that accept arrays, Experiments.

model_fn, heads, multi_head, multi_label   modes, heads, and return values of model functions
run_config, metric_spec, tensor_signature     runtime settings, metrics, signatures of inputs
array_feeder, pandas_io, graph_io     arrays, data frames and files as inputs
estimator, canned, linear, dnn, dnn_linear_combined, kmeans_clustering, logistic_regressor      Estimators
experiment, learn_runner, graph_runs     Experiments; repeated runs of tensors
serving_input_fn, export_strategy        inputs of exports, and when to export
"""
