"""Invalid uses of a head: TensorFlow 1.15.5's errors."""

import pytest

import tfmini as tf


def test_loss_function_arguments_are_checked():
    head = tf.estimator.BinaryClassHead
    with pytest.raises(ValueError, match=r"^loss_fn has unexpected args: \['extra'\]$"):
        head(loss_fn=lambda labels, logits, extra: 1)
    with pytest.raises(ValueError, match=r"argument: logits. Given arguments: \('labels',\)$"):
        head(loss_fn=lambda labels: 1)
    assert head(loss_fn=lambda labels, logits, features, loss_reduction: 1).logits_dimension == 1
