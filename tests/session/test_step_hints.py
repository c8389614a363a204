"""Hints about the causes of common errors, during a step and before it."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.notes import read_hint


@pytest.mark.parametrize("use_resource", [False, True])
def test_uninitialized_variable_hint_names_line(use_resource):
    variable = tf.get_variable("missing", [2], use_resource=use_resource)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="missing") as caught:
            session.run(variable.read_value() if use_resource else variable)
    assert f"variable 'missing', created at {__file__}:" in read_hint(caught.value)


def test_other_errors_have_no_hint():
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed") as caught:
            session.run(tf.placeholder(tf.float32))
    assert read_hint(caught.value) == ""


def iterated(iterable):
    for _ in iterable:
        pass


def variables_of_one_name(**options):
    for _ in range(2):
        tf.get_variable("w", [2], **options)


IMAGES = np.zeros([10, 28, 28])
CAST = "TensorFlow does not convert dtypes implicitly: cast"


def rows():
    return tf.placeholder(tf.float32, [None, 2, 3])


COMMON = {
    "numpy()": (lambda x, run: x.numpy(), AttributeError, "session.run(tensor) returns it"),
    "dataset": (
        lambda x, run: iterated(tf.data.Dataset.range(3)),
        RuntimeError,
        "make_one_shot_iterator(dataset).get_next()",
    ),
    "tensor": (lambda x, run: x.graph.get_tensor_by_name("logit:0"), KeyError, "'logits:0'?"),
    "scope": (lambda x, run: x.graph.get_tensor_by_name("kernel:0"), KeyError, "'a/kernel:0'?"),
    "operation": (lambda x, run: x.graph.get_operation_by_name("Logits"), KeyError, "'logits'?"),
    "fetch": (lambda x, run: run("logit:0"), ValueError, "'logits:0'?"),
    "feed": (lambda x, run: run(x, {"mages:0": IMAGES}), TypeError, "'images:0'?"),
    "unlike": (lambda x, run: run("nothing"), ValueError, ""),
    "int * float": (
        lambda x, run: tf.constant([1]) * x,
        TypeError,
        f"{CAST} 'x' with tf.cast(..., tf.float32)",
    ),
    "float * int": (
        lambda x, run: x * tf.constant([1]),
        TypeError,
        f"{CAST} 'y' with tf.cast(..., tf.float32)",
    ),
    "text": (lambda x, run: tf.add(x, tf.constant(["a"])), TypeError, ""),
    "images": (lambda x, run: run(x, {x: IMAGES}), ValueError, "np.reshape(value, [-1, 784]) has"),
    "image": (
        lambda x, run: run(x, {x: IMAGES[0]}),
        ValueError,
        "np.reshape(value, [-1, 784]) has",
    ),
    "batches": (lambda x, run: run(x, {x: np.zeros([5, 2, 392, 2])}), ValueError, ""),
    "order": (lambda x, run: run(x, {rows(): np.zeros([4, 3, 2])}), ValueError, ""),
    "order in one": (lambda x, run: run(x, {rows(): np.zeros([1, 3, 2])}), ValueError, ""),
    "width": (lambda x, run: run(x, {x: np.zeros([10, 783])}), ValueError, ""),
    "None": (lambda x, run: run([x, None]), TypeError, "tf.gradients returns None"),
    "twice": (lambda x, run: variables_of_one_name(), ValueError, "tf.reset_default_graph() first"),
    "parts": (
        lambda x, run: variables_of_one_name(partitioner=tf.fixed_size_partitioner(2)),
        ValueError,
        "tf.reset_default_graph() first",
    ),
}


@pytest.mark.parametrize("mistake, error, hint", COMMON.values(), ids=COMMON)
def test_common_mistakes(mistake, error, hint, session):
    x = tf.placeholder(tf.float32, [None, 784], name="images")
    tf.identity(x, name="logits")
    tf.identity(x, name="a/kernel")
    with pytest.raises(error) as caught:
        mistake(x, session.run)
    assert hint in read_hint(caught.value)
    assert bool(hint) == bool(read_hint(caught.value))


def test_graph_tensors_lack_numpy_method():
    assert not hasattr(tf.Tensor, "numpy")
    assert not hasattr(tf.constant(1), "numpy")
