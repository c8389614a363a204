"""Tensor lists: gradients, errors, and linear time in loops."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tests.support.waiting import waits_for
from tfmini._src.graph.opdef import raw
from tfmini._src.ops.lists import tensor_list_value

ROWS = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])
F = np.float64
NONE = np.array([], np.int32)
INVALID = tf.errors.InvalidArgumentError


def from_tensor(tensor, shape=-1):
    return raw.TensorListFromTensor(tensor, shape)


def whole(held):
    return raw.TensorListStack(held, -1, F)


def through_one_end(x):
    held = raw.EmptyTensorList(-1, -1, F)
    for row in (x[0] * 2.0, x[1], x[0]):
        held = raw.TensorListPushBack(held, row)
    held, last = raw.TensorListPopBack(held, -1, F)
    return [whole(held) ** 2, last * 3.0]


def last_only(x):
    return [raw.TensorListPopBack(from_tensor(x), -1, F)[1] ** 2]


def by_item(x):
    held = raw.TensorListSetItem(from_tensor(x), 1, x[0] * x[1])
    item = raw.TensorListGetItem(held, 0, -1, F)
    return [whole(raw.TensorListSetItem(held, 0, item * item))]


def by_numbers(x):
    gathered = raw.TensorListGather(from_tensor(x), np.array([1, 0], np.int32), -1, F)
    scattered = raw.TensorListScatter(gathered, np.array([1, 0], np.int32), -1)
    more = raw.TensorListScatterV2(x * x, np.array([1, 3], np.int32), np.array([3], np.int32), 4)
    held = raw.TensorListScatterIntoExistingList(more, gathered[:1], np.array([3], np.int32))
    return [whole(scattered), whole(held)]


def end_to_end(x):
    parts = raw.TensorListSplit(x * x, -1, np.array([1, 1], np.int64))
    joined, _ = raw.TensorListConcatV2(parts, -1, np.array([], np.int64), F)
    return [joined * x, raw.TensorListConcat(raw.TensorListResize(parts, 1), F)[0]]


def absent_or_not(x):
    value, _ = raw.OptionalGetValue(raw.OptionalFromValue([x * x, x]), [F, F], [[2, 3], [2, 3]])
    return [value]


@pytest.mark.parametrize(
    "function",
    [through_one_end, last_only, by_item, by_numbers, end_to_end, absent_or_not],
    ids=lambda f: f.__name__,
)
def test_gradients(function):
    check(function, [ROWS])


def lists_of(*items):
    held = raw.EmptyTensorList(NONE, 2, np.float32)
    for item in items:
        held = raw.TensorListPushBack(held, np.float32(item))
    return held


def unknown(value):
    return tf.placeholder_with_default(np.float32(value), None)


# TensorFlow 1.15.5's messages.
REFUSED = {
    "Tried to append a tensor with incompatible shape to a list. Op element shape: [1] list shape: []": (
        lambda: raw.TensorListLength(raw.TensorListPushBack(lists_of(), unknown([1])))
    ),
    "Operation expected a list with 1 elements but got a list with 2 elements.": (
        lambda: raw.TensorListStack(lists_of(1, 2), NONE, np.float32, 1)
    ),
    "Tried to set a tensor with incompatible shape at a list index. Item element shape: [1] list shape: []": (
        lambda: raw.TensorListLength(raw.TensorListSetItem(lists_of(1, 2), 1, unknown([1])))
    ),
    "Tried to gather 0-elements from a list with non-fully-defined shape: <unknown>": (
        lambda: raw.TensorListGather(raw.EmptyTensorList(-1, -1, F), NONE, -1, F)
    ),
    "TensorListScatter expects num_elements >= -1, found: -2": (
        lambda: whole(raw.TensorListScatterV2(ROWS, [0, 1], -1, -2))
    ),
    "Invalid value in lengths: -1": (
        lambda: whole(raw.TensorListSplit(ROWS, -1, np.array([-1], np.int64)))
    ),
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:40])
def test_errors_match_tensorflow(text, session):
    fetch = REFUSED[text]()
    with pytest.raises(INVALID) as failed:
        session.run(fetch)
    assert failed.value.message.split("\n\t [[")[0] == text


def test_list_cannot_be_fetched(session):
    with pytest.raises(
        tf.errors.InternalError, match="Tensorflow type 21 not convertible to numpy"
    ):
        session.run(lists_of(1))


def test_item_shapes_are_inferred():
    held = from_tensor(ROWS, np.array([3], np.int32))
    assert raw.TensorListGetItem(held, 0, -1, F).shape.as_list() == [3]
    assert whole(raw.TensorListSetItem(held, 0, ROWS[1])).shape.as_list() == [None, 3]
    with pytest.raises(
        ValueError, match="push to list with wrong element dtype. List has type double"
    ):
        raw.TensorListPushBack(held, np.float32(1))


def test_strings_and_nested_lists(session):
    words = raw.TensorListPushBack(from_tensor(tf.constant([b"a", b"bc"])), b"d")
    lists = raw.TensorListPushBack(raw.EmptyTensorList(NONE, -1, tf.variant), words)
    inner = raw.TensorListGetItem(lists, 0, NONE, tf.variant)
    item = raw.TensorListGetItem(inner, 1, NONE, tf.string)
    stacked = raw.TensorListStack(inner, NONE, tf.string)
    assert session.run(item) == b"bc"
    assert session.run(stacked).tolist() == [b"a", b"bc", b"d"]


def test_list_copies_fed_array(session):
    fed = tf.placeholder(tf.float64, [2, 3])
    held = whole(from_tensor(fed))
    array = ROWS.copy()
    before = session.run(held, {fed: array})
    array[:] = 0
    np.testing.assert_array_equal(before, ROWS)


def test_loops_update_lists_in_place(session, monkeypatch):
    """Each iteration modifies the previous one's list in place."""
    count = 500

    def grow(i, held):
        return i + 1, raw.TensorListPushBack(held, tf.cast(i, tf.float64))

    def fill(i, held):
        return i + 1, raw.TensorListSetItem(held, i, tf.cast(i, tf.float64))

    empty = raw.EmptyTensorList(NONE, -1, F)
    _, grown = tf.while_loop(lambda i, _: i < count, grow, (0, empty))
    _, filled = tf.while_loop(
        lambda i, _: i < count, fill, (0, raw.TensorListReserve(NONE, count, F))
    )
    total = tf.reduce_sum(raw.TensorListStack(grown, NONE, F))
    other = tf.reduce_sum(raw.TensorListStack(filled, NONE, F))
    lists = {}
    initialize = tensor_list_value._Version.__init__

    def record(version, items):
        lists[id(items)] = items
        initialize(version, items)

    monkeypatch.setattr(tensor_list_value._Version, "__init__", record)
    assert session.run([total, other]) == [count * (count - 1) / 2] * 2
    assert len(lists) < 10


def test_zeros_like_keeps_unset_items_and_nested_lists(session):
    inner = raw.TensorListFromTensor(np.array([1.0, 2.0]), NONE)
    lists = raw.TensorListReserve(NONE, 2, tf.variant)
    lists = raw.TensorListSetItem(lists, 1, inner)
    numbers = raw.TensorListSetItem(raw.TensorListReserve(-1, 2, F), 1, np.array([3.0, 4.0]))
    zeros = raw.ZerosLike(numbers)
    item = raw.TensorListGetItem(raw.ZerosLike(lists), 1, NONE, tf.variant)
    result = session.run(
        [
            raw.TensorListGetItem(zeros, 1, np.array([2], np.int32), F),
            raw.TensorListGetItem(zeros, 0, np.array([3], np.int32), F),
            raw.TensorListStack(item, NONE, F),
        ]
    )
    assert [value.tolist() for value in result] == [[0, 0], [0, 0, 0], [0, 0]]


def test_shared_lists_are_locked():
    items = tensor_list_value.TensorList(tf.float32, ())
    assert waits_for(tensor_list_value._lock, lambda: items.change("push", F(1)))
    assert waits_for(tensor_list_value._lock, lambda: items.items)
