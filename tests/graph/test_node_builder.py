"""Node memory: empty, single and shared parts allocate no containers."""

import gc
import sys

import pytest

import tfmini as tf
from tfmini._src.graph import stack_traces


def _chain(length):
    x = tf.placeholder(tf.float32, [None, 10])
    y = tf.placeholder(tf.float32, [None, 10])
    created = []
    for _ in range(length):
        x = tf.nn.relu(x * y)
        created.append(x.op)
    return created


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="CPython's collector")
def test_nodes_use_few_objects():
    with tf.Graph().as_default():
        _chain(10)
    with tf.Graph().as_default() as graph:
        gc.collect()
        before = len(gc.get_objects())
        _chain(1000)
        gc.collect()
        nodes = len(graph.get_operations())
        # The node, its tensor and the tuple of its inputs; some for the lifetime of the process.
        assert len(gc.get_objects()) - before < 3.5 * nodes


def test_nodes_of_one_line_share_stack_and_attrs():
    with tf.Graph().as_default():
        first, second = _chain(2)
        other = tf.nn.relu(tf.constant([1.0]))
        assert first._frames is second._frames and first.traceback == second.traceback
        assert first.attrs is second.attrs is other.op.attrs
        assert other.op.traceback != first.traceback


def test_stack_traces_omit_runner_frames(monkeypatch):
    monkeypatch.setattr(stack_traces, "_hidden_codes", {})

    def start(program):
        return program()

    def program():
        return _chain(1)[0], stack_traces.capture(0)

    op, frames = start(program)
    whole = [frame[2] for frame in op.traceback]
    at = whole.index("start")
    assert at > 10 and whole[at : at + 3] == ["start", "program", "_chain"]  # above pytest's
    stack_traces.hide_launcher_frames(start.__code__)
    op, frames = start(program)
    assert [frame[2] for frame in op.traceback] == whole[at + 1 :]
    assert [code.co_name for code, _ in stack_traces.code_offsets(op._frames)][-1] == "program"
    assert [code.co_name for code, _ in stack_traces.code_offsets(frames)] == ["program"]


def test_attrs_are_copied_on_write():
    with tf.Graph().as_default():
        first, second = _chain(2)
        first._set_attr("_mark", tf.AttrValue(i=3))
        assert first.get_attr("_mark") == 3 and first.get_attr("T") == tf.float32
        with pytest.raises(ValueError, match="^Operation 'Relu_1' has no attr named '_mark'.$"):
            second.get_attr("_mark")


def test_consumers():
    with tf.Graph().as_default():
        x, y = tf.constant(1.0), tf.constant(2.0)
        assert x.consumers() == []
        first = tf.negative(x).op
        assert x.consumers() == [first]
        twice = tf.add(x, x).op
        assert x.consumers() == [first, twice, twice]
        twice._update_input(0, y)
        assert x.consumers() == [first, twice] and y.consumers() == [twice]
        twice._update_input(1, y)
        first._update_input(0, y)
        assert x.consumers() == [] and y.consumers() == [twice, twice, first]


def test_outputs_are_stable():
    with tf.Graph().as_default():
        one, several = tf.constant(1.0).op, tf.split(tf.zeros([4]), 2)[0].op
        assert one.outputs[0] is one.outputs[0] is one.values()[0]
        assert [t.name for t in several.outputs] == ["split:0", "split:1"]
        assert all(a is b for a, b in zip(several.outputs, several.values()))
        assert tf.no_op().outputs == [] and tf.no_op().values() == ()
        one.outputs.append(None)
        assert len(one.outputs) == 1
