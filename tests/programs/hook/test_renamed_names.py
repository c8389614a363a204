"""Names and argument orders from before TensorFlow 1.0 in scripts under the runner."""

import importlib
import inspect
import logging
import operator

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.names.renamed import (
    RENAMED_ARGUMENTS,
    RENAMED_MODULES,
    RENAMED_SYMBOLS,
    REORDERED_ARGUMENTS,
)
from tfmini._src.programs.hook import renamed_names, reordered_arguments, warn_once
from tfmini._src.programs.hook.extra_names import STRICT_VARIABLE
from tfmini._src.programs.hook.missing_names import MissingName, MissingType

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


@pytest.fixture(autouse=True)
def _reset_warnings(monkeypatch):
    monkeypatch.setattr(warn_once, "_warned", set())


def value(made):
    with tf.Session() as session:
        return session.run(made)


def member(name, module):
    return operator.attrgetter(name)(module)


# Each with its old name and order, and NumPy's result.
CALLS = [
    ("mul", (X, X), {}, X * X),
    ("sub", (X, X + 1), {}, X - (X + 1)),
    ("neg", (X,), {}, -X),
    ("inv", (X,), {}, 1 / X),
    ("pack", ([X, -X],), {"axis": 1}, np.stack([X, -X], 1)),
    ("unpack", (X, None, 1), {}, list(X.T)),
    ("select", (X > 2, X, -X), {}, np.where(X > 2, X, -X)),
    ("select", (X > 2,), {"t": X, "e": -X}, np.where(X > 2, X, -X)),
    ("batch_matmul", (X, X, False, True), {}, X @ X.T),
    ("batch_matmul", (), {"x": X, "y": X, "adj_x": True}, X.T @ X),
    ("complex_abs", (np.array([3 + 4j], np.complex64),), {}, np.array([5.0], np.float32)),
    ("batch_matrix_diag", (X[0],), {}, np.diag(X[0])),
    ("concat", (1, [X, X]), {}, np.hstack([X, X])),
    ("concat", (np.int32(0), (X, X)), {"name": "joined"}, np.vstack([X, X])),
    ("concat", (), {"concat_dim": 0, "values": [X, X]}, np.vstack([X, X])),
    ("concat", ([X, X], 1), {}, np.hstack([X, X])),
    ("concat", ([X, X],), {"axis": 0}, np.vstack([X, X])),
    ("concat_v2", ([X, X], 1), {}, np.hstack([X, X])),
    ("split", (1, 2, X), {}, np.split(X, 2, 1)),
    ("split", (0, 2), {"value": X}, np.split(X, 2, 0)),
    ("split", (), {"split_dim": 1, "num_split": 2, "value": X}, np.split(X, 2, 1)),
    ("split", (X, 2, 1), {}, np.split(X, 2, 1)),
    ("split", (X, [1, 1]), {}, np.split(X, 2, 0)),
    ("split", (X,), {"num_or_size_splits": 2}, np.split(X, 2, 0)),
    ("reverse", (X, [True, False]), {}, X[::-1]),
    ("reverse", (X, [False, True]), {}, X[:, ::-1]),
    ("reverse", (X, [1]), {}, X[:, ::-1]),
]


@pytest.mark.parametrize("name, args, kwargs, expected", CALLS)
def test_old_calls_work(tensorflow, name, args, kwargs, expected):
    actual = value(member(name, tensorflow)(*args, **kwargs))
    np.testing.assert_allclose(actual, expected, rtol=1e-6)


def test_scalar_tensor_is_the_axis(tensorflow):
    np.testing.assert_array_equal(
        value(tensorflow.concat(tf.constant(1), [X, X])), np.hstack([X, X])
    )
    np.testing.assert_array_equal(
        value(tensorflow.split(tf.constant(1), 2, tf.constant(X))[1]), X[:, 1:]
    )


def test_ambiguous_order_follows_1_15(tensorflow):
    unknown = tf.placeholder(tf.int32)
    joined = tensorflow.concat([[1, 2]], unknown)
    with tf.Session() as session:
        assert session.run(joined, {unknown: 0}).tolist() == [1, 2]
    assert reordered_arguments.concat((unknown, [X, X]), {}) is None
    assert reordered_arguments.concat((0, 1), {}) is None
    assert reordered_arguments.split((unknown, 2, 1), {}) is None
    assert reordered_arguments.split((0, 2, 1), {}) is None


def softmax_entropy(logits, labels):
    log = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -(labels * log).sum(-1)


def test_cross_entropies_accept_logits_first(tensorflow):
    labels = np.array([[0.25, 0.75], [1.0, 0.0]], np.float32)
    nn = tensorflow.nn
    for created in (
        nn.softmax_cross_entropy_with_logits(X, labels),
        nn.softmax_cross_entropy_with_logits(X, labels=labels),
        nn.softmax_cross_entropy_with_logits(labels=labels, logits=X),
    ):
        np.testing.assert_allclose(value(created), softmax_entropy(X, labels), rtol=1e-5)
    sparse = nn.sparse_softmax_cross_entropy_with_logits(X, [1, 0])
    np.testing.assert_allclose(value(sparse), softmax_entropy(X, np.eye(2)[[1, 0]]), rtol=1e-5)
    by_element = -(
        labels * np.log(1 / (1 + np.exp(-X))) + (1 - labels) * np.log(1 / (1 + np.exp(X)))
    )
    for created in (
        nn.sigmoid_cross_entropy_with_logits(X, labels),
        nn.sigmoid_cross_entropy_with_logits(X, targets=labels),
        nn.sigmoid_cross_entropy_with_logits(logits=X, targets=labels),
    ):
        np.testing.assert_allclose(value(created), by_element, rtol=1e-4)


def test_sampled_losses_are_recognized_by_labels():
    weights, biases, inputs, labels = X, X[0], X, np.array([[1], [0]])
    result = reordered_arguments.nce_loss((weights, biases, inputs, labels, 3, 10), {"num_true": 1})
    assert result["inputs"] is inputs
    assert result["labels"] is labels
    assert (result["num_sampled"], result["num_classes"], result["num_true"]) == (3, 10, 1)
    assert reordered_arguments.nce_loss((weights, biases, labels, inputs, 3, 10), {}) is None
    assert reordered_arguments.nce_loss((weights, biases, [[1]], labels, 3, 10), {}) is None


def test_resize_images_accepts_two_sizes():
    assert reordered_arguments.resize_images((X, 8, 9), {})["size"] == [8, 9]
    assert reordered_arguments.resize_images((X, 8, 9, 1), {})["method"] == 1
    assert reordered_arguments.resize_images((X,), {"new_height": 8, "new_width": 9})["size"] == [
        8,
        9,
    ]
    assert reordered_arguments.resize_images((X, [8, 9], 1), {}) is None


def test_old_name_warns_once_at_user_line(tensorflow, caplog):
    with caplog.at_level(logging.WARNING, "tensorflow"):
        line = inspect.currentframe().f_lineno + 1
        tensorflow.mul(2.0, 3.0)
        tensorflow.mul(2.0, 3.0)
        tensorflow.concat(0, [X, X])
        _ = tensorflow.contrib.estimator.InMemoryEvaluatorHook
        tensorflow.concat([X, X], 0)
    assert [r.getMessage() for r in caplog.records] == [
        f"From {__file__}:{line}: tf.mul predates TensorFlow 1.0; use tf.multiply.",
        f"From {__file__}:{line + 2}: arguments of tf.concat are in the order from before TensorFlow 1.0; "
        "use tf.concat(values, axis).",
        f"From {__file__}:{line + 3}: tf.contrib.estimator.InMemoryEvaluatorHook predates TensorFlow 1.14; "
        "use tf.estimator.experimental.InMemoryEvaluatorHook.",
    ]


@pytest.mark.usefixtures("tensorflow")
def test_old_modules(caplog):
    with caplog.at_level(logging.WARNING, "tensorflow"):
        from tensorflow.models.rnn import rnn, seq2seq
        from tensorflow.models.rnn.rnn_cell import BasicLSTMCell
        from tensorflow.python.ops import seq2seq as internal
    assert BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell
    assert seq2seq.rnn_decoder is tf.contrib.legacy_seq2seq.rnn_decoder
    assert internal.sequence_loss is tf.contrib.legacy_seq2seq.sequence_loss
    outputs, _ = rnn.rnn(BasicLSTMCell(3), [tf.constant(X)] * 2, dtype=tf.float32)
    assert [t.shape.as_list() for t in outputs] == [[2, 3]] * 2
    said_first = caplog.records[0].getMessage()
    assert said_first.startswith(f"From {__file__}:")
    assert "tf.models.rnn.rnn_cell predates TensorFlow 1.0; use tf.nn.rnn_cell." in said_first


def test_every_old_name_matches_table(tensorflow):
    for old, new in {**RENAMED_SYMBOLS, **RENAMED_MODULES}.items():
        module, _, name = old.rpartition(".")
        result = getattr(importlib.import_module(f"tensorflow.{module}".rstrip(".")), name)
        expected = member(new, tensorflow)
        if isinstance(expected, (MissingName, MissingType, type)):
            assert result is expected
        elif old in RENAMED_MODULES:
            assert result.__name__ in (f"tensorflow.{old}", f"tensorflow.{new}")
        else:
            assert inspect.unwrap(result) is inspect.unwrap(expected)


def test_tables_agree():
    assert reordered_arguments.ORDERS.keys() == REORDERED_ARGUMENTS.keys()
    assert RENAMED_ARGUMENTS.keys() <= RENAMED_SYMBOLS.keys()
    for old, order in RENAMED_ARGUMENTS.items():
        new = operator.attrgetter(RENAMED_SYMBOLS[old])
        try:
            known = inspect.signature(new(tf)).parameters
        except AttributeError:  # a part that tfmini lacks
            continue
        for word in order.split():
            present = word.partition("=")[2] if "=" in word else word
            assert not present or present in known


def test_extra_arguments_are_refused(tensorflow):
    with pytest.raises(TypeError, match=r"batch_matmul\(\) too many positional arguments"):
        tensorflow.batch_matmul(X, X, None, None, "name", 6)
    with pytest.raises(TypeError, match="adjoint"):
        tensorflow.batch_matmul(X, X, adjoint=True)


def test_missing_replacement_is_reported(tensorflow):
    if not hasattr(tf.summary, "audio"):
        with pytest.raises(NotImplementedError, match="tfmini does not implement tf.summary.audio"):
            tensorflow.audio_summary("noise", X, 8000)


def test_old_summaries(tensorflow, tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tensorflow.scalar_summary(b"mean of X", X.mean(), name="gone")
        tensorflow.histogram_summary("X", X)
        tensorflow.image_summary("picture", X[None, :, :, None], max_images=1)
        merged = session.run(tensorflow.merge_all_summaries())
        writer = tensorflow.train.SummaryWriter(str(tmp_path), graph)
        writer.add_summary(merged, 3)
        writer.close()
    (path,) = tmp_path.iterdir()
    *_, event = tf.train.summary_iterator(str(path))
    assert event.step == 3
    mean, histogram, image = event.summary.value
    assert (mean.tag, mean.simple_value) == ("mean_of_X", 2.5)
    assert (histogram.tag, histogram.histo.sum) == ("X", 10)
    assert (image.tag, image.image.width) == ("picture/image", 2)


def test_strict_mode_has_no_old_names(tensorflow, monkeypatch):
    monkeypatch.setenv(STRICT_VARIABLE, "1")
    with pytest.raises(AttributeError, match="Did you mean tf.multiply"):
        tensorflow.mul  # noqa: B018
    assert tensorflow.concat is tf.concat
    assert tensorflow.flags.FLAGS is tf.flags.FLAGS
    with pytest.raises(ModuleNotFoundError, match="^No module named 'tensorflow.models'$"):
        importlib.import_module("tensorflow.models.rnn")


@pytest.mark.parametrize(
    "name, hint",
    [
        ("nn.softmaxx", "Did you mean tf.nn.softmax?"),
        ("keras.layers.Densee", "Did you mean tf.keras.layers.Dense?"),
        ("estimator.Estimatorr", "Did you mean tf.estimator.Estimator?"),
        ("python.ops.nn.softmaxx", "Did you mean tensorflow.python.ops.nn.softmax?"),
        ("nn.silu", "This is a TensorFlow 2 name; in 1.15 use tf.nn.swish"),
        ("compat.v1.nn.silu", "This is a TensorFlow 2 name; in 1.15 use tf.nn.swish"),
        ("random.set_seed", "This is a TensorFlow 2 name; in 1.15 use tf.set_random_seed"),
    ],
)
def test_hints_use_program_spelling(tensorflow, name, hint):
    with pytest.raises(AttributeError) as caught:
        operator.attrgetter(name)(tensorflow)
    assert str(caught.value).partition("\n")[2] == hint


def test_additions_are_callables():
    assert all(
        callable(make) for path in renamed_names.additions().values() for make in path.values()
    )


def test_private_names_of_generated_functions(tensorflow, caplog, monkeypatch):
    """`gen_nn_ops._relu_grad`, as used in guided backpropagation recipes."""
    from tensorflow.python.ops import gen_math_ops, gen_nn_ops

    monkeypatch.setattr(tf.get_logger(), "propagate", True)
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = gen_nn_ops._relu_grad([1.0, 2.0], [0.0, 1.0]), gen_math_ops._sum([1.0, 2.0], 0)
        gradient, total = session.run(fetches)
    assert (gradient.tolist(), total) == ([0.0, 2.0], 3.0)
    assert "gen_nn_ops._relu_grad predates TensorFlow 1.5" in caplog.text
    assert "_sum" not in caplog.text  # 1.15.5 provides it
    with pytest.raises(AttributeError, match="gen_nn_ops' has no attribute '_nothing'"):
        operator.attrgetter("_nothing")(gen_nn_ops)
    monkeypatch.setenv("TFMINI_STRICT", "1")
    with pytest.raises(AttributeError, match="gen_nn_ops' has no attribute '_max_pool_grad'"):
        operator.attrgetter("_max_pool_grad")(gen_nn_ops)
