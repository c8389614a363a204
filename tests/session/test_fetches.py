"""Fetches: every structure is preserved."""

import collections
from collections.abc import Mapping

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.fetches import register_session_run_conversion_functions

Point = collections.namedtuple("Point", "x y")


class Attributed:
    """A stand-in for an `attrs` class."""

    Attribute = collections.namedtuple("Attribute", "name")
    __attrs_attrs__ = (Attribute("x"), Attribute("y"))

    def __init__(self, x, y):
        self.x, self.y = x, y


def test_custom_mapping(session):
    class Frozen(Mapping):
        def __init__(self, *items):
            self.items_ = dict(*items)

        def __getitem__(self, key):
            return self.items_[key]

        def __iter__(self):
            return iter(self.items_)

        def __len__(self):
            return len(self.items_)

        def __setitem__(self, key, value):
            self.items_[key] = value

    got = session.run(Frozen({"k": tf.constant(1)}))
    assert type(got) is Frozen and got["k"] == 1


def test_attrs_classes_are_rebuilt(session):
    got = session.run(Attributed(tf.constant(1), [tf.constant(2)]))
    assert type(got) is Attributed and (got.x, got.y) == (1, [2])


def test_fetched_value_types(session):
    kinds = [tf.int8, tf.uint16, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64, tf.bool]
    got = session.run([tf.cast(tf.constant(1), kind) for kind in kinds])
    assert [value.dtype for value in got] == [kind.as_numpy_dtype for kind in kinds]
    assert all(isinstance(value, np.generic) for value in got)
    text, texts = session.run([tf.constant("é"), tf.constant(["a", "b"])])
    assert text == "é".encode() and type(text) is bytes
    assert texts.tolist() == [b"a", b"b"] and texts.dtype == object
    assert type(session.run(tf.constant(1j))) is np.complex128


def test_equal_fetches_run_once(session):
    v = tf.Variable(0.0)
    add = v.assign_add(1.0)
    session.run(v.initializer)
    assert session.run([add, {"again": add}, (add.op,)]) == [1.0, {"again": 1.0}, (None,)]


def test_unfetchable_op_is_rejected(session, graph):
    one = tf.constant(1, name="one")
    graph.prevent_fetching(one.op)
    with pytest.raises(ValueError, match="Operation 'one' has been marked as not fetchable"):
        session.run(one)


def test_registered_conversion_functions(session):
    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

    register_session_run_conversion_functions(
        Pair,
        lambda pair: ([pair.left, pair.right], lambda values: tuple(values)),
        lambda pair, value: [(pair.left, value[0]), (pair.right, value[1])],
        lambda pair: [pair.left, pair.right],
    )
    pair = Pair(tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, []))
    assert session.run([pair, pair.left + pair.right], {pair: (1, 2)}) == [(1.0, 2.0), 3.0]
    total = pair.left + pair.right
    handle = session.partial_run_setup([total], [pair])
    assert session.partial_run(handle, total, {pair: (3, 4)}) == 7.0
    with pytest.raises(ValueError, match="has already been registered"):
        register_session_run_conversion_functions(Pair, lambda pair: ([], list))


@pytest.mark.parametrize(
    "quantized, plain",
    [(tf.quint8, tf.uint8), (tf.qint8, tf.int8), (tf.qint32, tf.int32), (tf.quint16, tf.uint16)],
)
def test_quantized_values_are_fetched_as_integers(session, quantized, plain):
    fed = tf.placeholder(quantized, [2])
    numbers = np.array([1, 2], plain.as_numpy_dtype)
    result = tf.bitcast(tf.constant(numbers), quantized)
    for value in (
        session.run(result),
        session.run(tf.identity(fed), {fed: [1, 2]}),
        session.run(tf.identity(fed), {fed: numbers}),
    ):
        assert value.dtype == numbers.dtype and value.tolist() == [1, 2]
    assert type(session.run(tf.bitcast(tf.constant(1, plain), quantized))) is numbers.dtype.type
    seen = []
    session.run(tf.py_func(lambda x: seen.append(x.dtype) or 1.0, [result], tf.double))
    assert seen == [numbers.dtype]
