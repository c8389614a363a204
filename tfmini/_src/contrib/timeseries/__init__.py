"""`tf.contrib.timeseries`: time series models, trained by Estimators.

`readers` and `file_readers` return a series as tensors; `input_functions` cuts it into windows. A model (`model`)
processes a window: `ar_model` predicts its end from its beginning by a network; `state_space` models process it
step by step (`sequential_model`). `input_statistics` provides the means and variances for scaling, `state_managers`
the initial states of windows; a `head` combines them for the Estimators in `regressors`.
"""
