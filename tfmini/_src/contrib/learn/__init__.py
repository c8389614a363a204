"""`tf.contrib.learn`: its data sets and vocabularies, Estimators fitted by arrays, Experiments.

model_fn, heads, multi_head, multi_label   what models are built for, and what they return
run_config, metric_spec, tensor_signature     how and where; what is measured; what inputs are
array_feeder, pandas_io, graph_io     arrays, data frames and files as inputs
estimator, canned, linear, dnn, dnn_linear_combined, kmeans_clustering, logistic_regressor      Estimators
experiment, learn_runner, run_n_and_infer     Experiments; tensors run some times
serving_input_fn, export_strategy        what exports are fed, and when they are
"""
