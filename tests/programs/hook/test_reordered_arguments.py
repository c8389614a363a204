"""Argument orders from before TensorFlow 1.0, distinguished from 1.15's by the argument values."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.programs.hook import reordered_arguments as orders

X = np.zeros([4, 6], np.float32)
LABELS = np.zeros([4, 1], np.int64)


@cases.in_one_test
@pytest.mark.parametrize(
    "order, args, kwargs, expected",
    [
        ("concat", (1, [X, X]), {}, {"axis": 1, "values": [X, X]}),
        ("concat", (0, X, "name"), {}, {"axis": 0, "values": X, "name": "name"}),
        ("concat", (), {"concat_dim": 1, "values": [X]}, {"axis": 1, "values": [X]}),
        ("concat", ([X, X], 1), {}, None),
        ("concat", ([X],), {"axis": 1}, None),
        ("concat", (1,), {}, None),
        ("concat", (1, [X], "n", 2), {}, None),
        ("concat", (1, 2), {}, None),
        ("concat", (1, object()), {}, None),
        ("concat", (X, X), {}, None),
        ("concat", (np.int32(1), (X, X)), {}, {"axis": np.int32(1), "values": (X, X)}),
        ("concat", (1,), {"values": [X]}, {"axis": 1, "values": [X]}),
        ("concat", (), {"concat_dim": X, "values": 3}, {"axis": X, "values": 3}),
        ("split", (1, 3, X), {}, {"axis": 1, "num_or_size_splits": 3, "value": X}),
        (
            "split",
            (),
            {"split_dim": 0, "num_split": 2, "value": X},
            {"axis": 0, "num_or_size_splits": 2, "value": X},
        ),
        ("split", (X, 3, 1), {}, None),
        ("split", (1, 3, X[0, 0]), {}, None),
        ("split", ([1], 3, X), {}, None),
        ("split", (1, 3), {}, None),
        ("split", (1, 3), {"name": "n"}, None),
        ("split", (1, 3, X, "n", 5), {}, None),
        ("split", (1, 3, X), {"axis": 1}, None),
        ("split", (True, 3, X), {}, {"axis": True, "num_or_size_splits": 3, "value": X}),
        ("split", (1, 3, [1, 2, 3]), {}, {"axis": 1, "num_or_size_splits": 3, "value": [1, 2, 3]}),
        (
            "split",
            (1,),
            {"num_split": 3, "value": 7, "name": "n"},
            {"axis": 1, "num_or_size_splits": 3, "value": 7, "name": "n"},
        ),
        ("split", (1, 3), {"value": X}, {"axis": 1, "num_or_size_splits": 3, "value": X}),
        ("split", (X, 3), {"value": X}, None),
        ("split", (X, 3), {"axis": 1}, None),
        ("reverse", (X, [True, False]), {}, {"tensor": X, "axis": [0]}),
        ("reverse", (X, [False, False]), {"name": "n"}, {"tensor": X, "axis": [], "name": "n"}),
        ("reverse", (X,), {"dims": np.array([False, True])}, {"tensor": X, "axis": [1]}),
        ("reverse", (X, [0, 1]), {}, None),
        ("reverse", (X, []), {}, None),
        ("reverse", (X, [True, 1]), {}, None),
        ("reverse", (X, [0, True]), {}, None),
        ("reverse", (X, (True, False, True), "n"), {}, {"tensor": X, "axis": [0, 2], "name": "n"}),
        ("reverse", (X, np.array([1, 0])), {}, None),
        ("reverse", (X, [np.True_]), {}, {"tensor": X, "axis": [0]}),
        ("reverse", (X, [True], "n", 3), {}, None),
        ("reverse", (X, [True]), {"axis": [0]}, None),
        ("reverse", (X,), {"axis": [True]}, None),
        ("reverse", (X, True), {}, None),
        ("image.resize_images", (X, 2, 3), {}, {"images": X, "size": [2, 3]}),
        (
            "image.resize_images",
            (X, 2, 3, 1, True),
            {},
            {"images": X, "size": [2, 3], "method": 1, "align_corners": True},
        ),
        ("image.resize_images", (X, [2, 3], 1), {}, None),
        ("image.resize_images", (X, [2, 3]), {}, None),
        ("image.resize_images", (X, 2), {}, None),
        ("image.resize_images", (X, 2, 3, 1, True, 0), {}, None),
        ("image.resize_images", (X, 2), {"new_width": 3}, {"images": X, "size": [2, 3]}),
        (
            "image.resize_images",
            (X, 2, 3),
            {"align_corners": True, "method": 2},
            {"images": X, "size": [2, 3], "align_corners": True, "method": 2},
        ),
        (
            "image.resize_images",
            (X,),
            {"new_height": 2, "new_width": 3},
            {"images": X, "size": [2, 3]},
        ),
        (
            "nn.nce_loss",
            (X, X, X, LABELS, 3, 9),
            {},
            {
                "weights": X,
                "biases": X,
                "inputs": X,
                "labels": LABELS,
                "num_sampled": 3,
                "num_classes": 9,
            },
        ),
        ("nn.nce_loss", (X, X, LABELS, X, 3, 9), {}, None),
        ("nn.nce_loss", (X, X, LABELS, LABELS, 3, 9), {}, None),
        ("nn.nce_loss", (X, X, [1.0], LABELS, 3, 9), {}, None),
        ("nn.nce_loss", (X, X, X, [1], 3, 9), {}, None),
        ("nn.nce_loss", (X, X, X, LABELS, 3, 9, 1, 2, 3, 4, 5, 6), {}, None),
        (
            "nn.sampled_softmax_loss",
            (X, X, X, LABELS.astype(np.uint8), 3, 9, 1, (5,), True, "div", "n"),
            {},
            {
                "weights": X,
                "biases": X,
                "inputs": X,
                "labels": LABELS.astype(np.uint8),
                "num_sampled": 3,
                "num_classes": 9,
                "num_true": 1,
                "sampled_values": (5,),
                "remove_accidental_hits": True,
                "partition_strategy": "div",
                "name": "n",
            },
        ),
        ("nn.sampled_softmax_loss", (X, X, X), {"labels": LABELS}, None),
        ("nn.sigmoid_cross_entropy_with_logits", (X, LABELS), {}, {"logits": X, "labels": LABELS}),
        ("nn.sigmoid_cross_entropy_with_logits", (X,), {"targets": X}, {"logits": X, "labels": X}),
        ("nn.sigmoid_cross_entropy_with_logits", (), {"logits": X, "labels": X}, None),
        ("nn.sigmoid_cross_entropy_with_logits", (X,), {}, None),
        ("nn.sigmoid_cross_entropy_with_logits", (X, X, "n", 3), {}, None),
        ("nn.sigmoid_cross_entropy_with_logits", (X,), {"targets": X, "labels": X}, None),
        (
            "nn.sigmoid_cross_entropy_with_logits",
            (),
            {"name": "n", "targets": LABELS, "logits": X},
            {"name": "n", "labels": LABELS, "logits": X},
        ),
        ("nn.sparse_softmax_cross_entropy_with_logits", (X, LABELS, 1, "n"), {}, None),
        ("nn.softmax_cross_entropy_with_logits", (X,), {"labels": X, "axis": 1}, None),
        (
            "nn.softmax_cross_entropy_with_logits",
            (X, X),
            {"name": "n"},
            {"logits": X, "labels": X, "name": "n"},
        ),
        (
            "nn.softmax_cross_entropy_with_logits",
            (X, X, 1),
            {},
            {"logits": X, "labels": X, "dim": 1},
        ),
        (
            "nn.sparse_softmax_cross_entropy_with_logits",
            (X, LABELS, "n"),
            {},
            {"logits": X, "labels": LABELS, "name": "n"},
        ),
        (
            "nn.sparse_softmax_cross_entropy_with_logits",
            (X,),
            {"labels": LABELS},
            {"logits": X, "labels": LABELS},
        ),
    ],
)
def test_argument_order_is_recognized(order, args, kwargs, expected):
    result = orders.ORDERS[order](args, dict(kwargs))
    assert result == expected if expected is None else result.keys() == expected.keys()
    for name in expected or ():
        inputs = result[name]
        assert inputs is expected[name] or np.array_equal(inputs, expected[name]), name


def test_tensor_arguments_reveal_order():
    with tf.Graph().as_default():
        x, axis, whole = tf.zeros([4, 6]), tf.constant(1), tf.zeros([4, 1], tf.int64)
        assert orders.concat((axis, [x, x]), {}) == {"axis": axis, "values": [x, x]}
        assert orders.concat(([x, x], axis), {}) is None
        assert list(orders.split((axis, 2, x), {})) == ["axis", "num_or_size_splits", "value"]
        assert orders.split((x, 2, axis), {}) is None
        assert orders.nce_loss((x, x, x, whole, 1, 2), {})["labels"] is whole
        assert orders.nce_loss((x, x, whole, x, 1, 2), {}) is None
        assert orders.resize_images((x, axis, axis), {})["size"] == [axis, axis]
        assert orders.resize_images((x, tf.constant([2, 3])), {}) is None
