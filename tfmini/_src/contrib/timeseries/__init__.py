"""`tf.contrib.timeseries`: time series models, trained by Estimators.

`readers` and `file_readers` return a series as tensors, `input_functions` cut it into windows. A model (`model`)
defines the computation on a window: `ar_model` predicts its end from its beginning by a network, models of
`state_space` go through it step by step (`sequential_model`). `input_statistics` has the means
that values are scaled by, `state_managers` the states that windows begin at; a `head` combines them for an
Estimator of `regressors`.
"""
