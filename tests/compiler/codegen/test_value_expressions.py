"""Names and constants in generated code."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.compiler.codegen.value_expressions import Values
from tfmini._src.compiler.program.program import Program
from tfmini._src.session.compile_step import compile_step


def test_small_constants_are_uploaded_once_per_gpu(gpu_environment):
    x = np.arange(1000, dtype="f")
    large = np.arange(20, dtype="f")
    with fake_gpus(devices=2) as machine, tf.Graph().as_default():
        created = []
        fed = tf.placeholder(tf.float32, [1000])
        for index in (0, 1):
            with tf.device(f"/gpu:{index}"):
                for _ in range(5):
                    created.append(tf.reduce_sum(tf.reshape(fed, [50, 20]) * large) * 1.5)
                created.append(tf.reduce_sum(fed) * -0.0)
                created.append(tf.reduce_sum(fed) * 0.0)
        with tf.Session() as session:
            compile_step(session, created, [fed])
            # Each GPU has 1.5, 0.0 and -0.0 once, and the larger array for each reader.
            assert machine.counters.copies["h2d"] == 2 * (3 + 5)
            got = session.run(created, {fed: x})
    want = (x.reshape(50, 20) * large).sum() * np.float32(1.5)
    for result in (got[:7], got[7:]):
        np.testing.assert_allclose(result[:5], want, rtol=1e-6)
        assert [str(v) for v in result[5:]] == ["-0.0", "0.0"]


def test_names_are_unique():
    values = Values(Program([], [], (), ()), None)
    named = {}
    for i in range(60):
        stem = ("a", f"a_{i}", "a.b", f"a_{i + 2}")[i % 4]
        value = object()
        named[values.name(stem, value)] = value
    assert len(named) == 60
    assert all(values.names[name] is value for name, value in named.items())
    assert all(values.name(name, value) == name for name, value in named.items())


@pytest.mark.parametrize("further", range(12))
def test_similar_constant_names_stay_distinct(further):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        created = []
        for i in range(40):
            stem = ("c", f"c_{i}", f"c_{i}_0d", f"c_{i + further}")[i % 4]
            created.append(x * tf.constant([float(i)] * (1 + i % 2), name=stem))
        with tf.Session() as session:
            for i, value in enumerate(session.run(created, {x: 1.0})):
                assert (value == i).all()


@pytest.mark.parametrize("stem", ["ﬁ", "²", "x²", "a\u0300", "a b", "a;b", "a-é"])
def test_names_are_ascii_identifiers(stem):
    values = Values(Program([], [], (), ()), None)
    name = values.name("const_" + stem, 5)
    assert name.isascii() and name.isidentifier()
    assert eval(name, values.names) == 5


class Forged(str):
    def __repr__(self):
        return "not_what_it_is"


class ForgedNumber(int):
    def __repr__(self):
        return "not_what_it_is"


class ForgedTuple(tuple):
    def __repr__(self):
        return "not_what_it_is"


@pytest.mark.parametrize(
    "value",
    [
        *(Forged("a"), ForgedNumber(3), ForgedTuple((1, 2)), (Forged("a"),), np.float64(1.5)),
        *("a'b\n", 1.5, -(10**30), True, None, (1, "x"), float("inf"), -float("inf")),
    ],
)
def test_attr_expressions_round_trip(value):
    values = Values(Program([], [], (), ()), None)
    got = eval(values.literal("attr", value), values.names)
    assert got == value and type(got) is type(value)
