"""Arrays are read and kept only by their owners; `test_every_op.py` passes read-only inputs.

Every sample op runs under `TFMINI_DEBUG=alias`, which overwrites arrays after their last use, and so exposes kernels
that pass on an input without declaring it, or keep it. `test_golden.py` does the same for each golden program's graph.
"""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance import test_every_op
from tests.conformance.samples import Rows
from tests.support import cases
from tfmini._src.compiler.program import debug
from tfmini._src.graph.opdef import raw, registry

SAMPLES = Rows(lambda s: s.build is None and len(s.inputs) and not registry[s.op].device_only)


@pytest.fixture(autouse=True)
def graph():
    """None: a program clears the default graph."""


@pytest.fixture
def filling(monkeypatch):
    monkeypatch.setattr(debug, "FLAGS", {"alias"})


def owned(tensor):
    """The same value in memory of the plan's own."""
    return tf.squeeze(tf.stack([tensor]), axis=[0])


@cases.parametrize(SAMPLES.groups())
def test_results_outlive_inputs(group, check_each, filling):
    check_each(group, check_results)


def check_results(sample):
    with tf.Graph().as_default(), tf.Session() as session:
        arguments, feed = test_every_op.feeds(sample, True)
        arguments = [
            [owned(a) for a in value] if isinstance(value, list) else owned(value)
            for value in arguments
        ]
        outputs = test_every_op.outputs_of(
            getattr(raw, sample.op)(
                **dict(zip(registry[sample.op].input_names, arguments)), **sample.attrs
            )
        )
        got = session.run(outputs, feed)
    test_every_op.compare(sample, got, test_every_op.expected(sample, sample.inputs))


def test_debug_fill_values():
    arrays = [np.zeros(3, kind) for kind in ("f", "D", "i4", "u1", "?", object)]
    debug.fill(*arrays, np.float32(1), None)
    assert np.isnan(arrays[0]).all() and np.isnan(arrays[1]).all()
    assert (arrays[2] == 2**31 - 1).all() and (arrays[3] == 255).all() and arrays[4].all()
    assert arrays[5][0] == b"filled by TFMINI_DEBUG=alias"


def test_undeclared_view_is_detected(filling, monkeypatch):
    zeros_like = test_every_op.registry["ZerosLike"]
    monkeypatch.setattr(zeros_like, "kernel", lambda xp, x: x[::-1])
    monkeypatch.setattr(zeros_like, "bind_rule", None)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [4])
        view = tf.raw_ops.ZerosLike(x=owned(x))
        assert np.isnan(session.run(view, {x: np.arange(4.0)})).all()


@pytest.mark.parametrize("chosen", [True, False])
def test_merged_value_is_not_overwritten_while_read(chosen):
    with tf.Graph().as_default(), tf.Session() as session:
        x, which = tf.placeholder(tf.float32, [4]), tf.placeholder(tf.bool, [])
        root = tf.sqrt(x)
        merged = tf.cond(which, lambda: root, lambda: root * 2.0)
        inputs = np.array([1.0, 4.0, 9.0, 16.0], "f")
        result, roots = session.run([tf.exp(merged) + 1.0, root], {x: inputs, which: chosen})
    assert roots.tolist() == [1.0, 2.0, 3.0, 4.0]
    np.testing.assert_allclose(result, np.exp(roots * (1 if chosen else 2)) + 1, rtol=1e-6)
