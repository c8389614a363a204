"""Calls with the arguments of TensorFlow before 1.0, told from those of 1.15 by what they are given."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.hook import reordered_arguments as orders

X = np.zeros([4, 6], np.float32)
LABELS = np.zeros([4, 1], np.int64)


@pytest.mark.parametrize(
    "order, args, kwargs, wanted",
    [
        ("concat", (1, [X, X]), {}, {"axis": 1, "values": [X, X]}),
        ("concat", (0, X, "name"), {}, {"axis": 0, "values": X, "name": "name"}),
        ("concat", (), {"concat_dim": 1, "values": [X]}, {"axis": 1, "values": [X]}),
        ("concat", ([X, X], 1), {}, None),
        ("concat", ([X],), {"axis": 1}, None),
        ("split", (1, 3, X), {}, {"axis": 1, "num_or_size_splits": 3, "value": X}),
        (
            "split",
            (),
            {"split_dim": 0, "num_split": 2, "value": X},
            {"axis": 0, "num_or_size_splits": 2, "value": X},
        ),
        ("split", (X, 3, 1), {}, None),
        ("split", (X, 3), {"axis": 1}, None),
        ("reverse", (X, [True, False]), {}, {"tensor": X, "axis": [0]}),
        ("reverse", (X, [False, False]), {"name": "n"}, {"tensor": X, "axis": [], "name": "n"}),
        ("reverse", (X,), {"dims": np.array([False, True])}, {"tensor": X, "axis": [1]}),
        ("reverse", (X, [0, 1]), {}, None),
        ("reverse", (X, []), {}, None),
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
        ("nn.sampled_softmax_loss", (X, X, X), {"labels": LABELS}, None),
        ("nn.sigmoid_cross_entropy_with_logits", (X, LABELS), {}, {"logits": X, "labels": LABELS}),
        ("nn.sigmoid_cross_entropy_with_logits", (X,), {"targets": X}, {"logits": X, "labels": X}),
        ("nn.sigmoid_cross_entropy_with_logits", (), {"logits": X, "labels": X}, None),
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
def test_what_calls_mean(order, args, kwargs, wanted):
    found = orders.ORDERS[order](args, dict(kwargs))
    assert found == wanted if wanted is None else found.keys() == wanted.keys()
    for name in wanted or ():
        given = found[name]
        assert given is wanted[name] or given == wanted[name], name


def test_tensors_tell_the_order_too():
    with tf.Graph().as_default():
        x, axis, whole = tf.zeros([4, 6]), tf.constant(1), tf.zeros([4, 1], tf.int64)
        assert orders.concat((axis, [x, x]), {}) == {"axis": axis, "values": [x, x]}
        assert orders.concat(([x, x], axis), {}) is None
        assert list(orders.split((axis, 2, x), {})) == ["axis", "num_or_size_splits", "value"]
        assert orders.split((x, 2, axis), {}) is None
        assert orders.sampled((x, x, x, whole, 1, 2), {})["labels"] is whole
        assert orders.sampled((x, x, whole, x, 1, 2), {}) is None
        assert orders.resize_images((x, axis, axis), {})["size"] == [axis, axis]
        assert orders.resize_images((x, tf.constant([2, 3])), {}) is None
