"""A name that is not there: TensorFlow's error, and on its own line what was probably meant."""

import pytest

import tfmini as tf
from tfmini import hints

MISSES = [
    (lambda: tf.mul, "module 'tfmini' has no attribute 'mul'", "tf.multiply"),
    (lambda: tf.pack, "module 'tfmini' has no attribute 'pack'", "tf.stack"),
    (lambda: tf.scalar_summary, "module 'tfmini' has no attribute", "tf.summary.scalar"),
    (lambda: tf.reduce_sums, "module 'tfmini' has no attribute", "tf.reduce_sum"),
    (lambda: tf.nn.relluu, "module 'tfmini.nn' has no attribute 'relluu'", "tf.nn.relu"),
    (lambda: tf.nn.deconv2d, "module 'tfmini.nn' has no attribute", "tf.nn.conv2d_transpose"),
    (lambda: tf.train.AdamOptimiser, "module 'tfmini.train'", "tf.train.AdamOptimizer"),
    (lambda: tf.train.SummaryWriter, "module 'tfmini.train'", "tf.summary.FileWriter"),
    (lambda: tf.contrib.layer, "module 'tfmini.contrib'", "tf.contrib.layers"),
    (lambda: tf.contrib.layers.l2_regulariser, "layers'", "tf.contrib.layers.l2_regularizer"),
    (lambda: tf.logging.warned, "module 'tfmini.logging'", "tf.logging.warn"),
    (lambda: tf.raw_ops.Matmul, "module 'tfmini.raw_ops'", "tf.raw_ops.MatMul"),
]


@pytest.mark.parametrize("miss, error, meant", MISSES)
def test_hint(miss, error, meant):
    with pytest.raises(AttributeError) as caught:
        miss()
    first, second = str(caught.value).split("\n")
    assert first.startswith(error) or error in first
    assert second == f"Did you mean {meant}?"


@pytest.mark.parametrize("module", [tf, tf.nn, tf.math, tf.train, tf.linalg, tf.random, tf.test])
def test_without_a_hint(module):
    with pytest.raises(AttributeError) as caught:
        module.zzzzzzzz  # noqa: B018
    text = f"module '{module.__name__}' has no attribute 'zzzzzzzz'"
    assert str(caught.value) == text
    assert caught.value.name == "zzzzzzzz"


def test_private_names_are_not_guessed():
    with pytest.raises(AttributeError) as caught:
        tf._reduce_sum  # noqa: B018
    assert str(caught.value) == "module 'tfmini' has no attribute '_reduce_sum'"


def test_no_hint_is_a_name_that_exists():
    """What stands in the table of old names is refused by `tf`, as 1.15.5 refuses it."""
    for name in hints._RENAMED:
        module, _, attribute = name.rpartition(".")
        assert not hasattr(getattr(tf, module) if module else tf, attribute)


def test_import_of_a_missing_name():
    with pytest.raises(ImportError, match="cannot import name 'mul'"):
        from tfmini import mul  # noqa: F401, PLC0415
