"""tf.contrib.learn.DNNLinearCombinedEstimator."""

import pytest

import tfmini as tf
from tfmini._src.contrib.learn.dnn_linear_combined import combined_model_fn

learn = tf.contrib.learn


def test_columns_are_required():
    text = "^Either linear_feature_columns or dnn_feature_columns must be defined.$"
    with pytest.raises(ValueError, match=text):
        combined_model_fn({}, None, "train", {"head": None})
    with pytest.raises(ValueError, match=text):
        learn.DNNLinearCombinedEstimator(learn.regression_head())
