"""TensorFlow's internal modules: registries, tracked stacks, graph traversal, initializers."""

import inspect

import numpy as np
import pytest

import tfmini as tf
from tfmini.compat.python.framework.ops import convert_to_tensor_or_composite
from tfmini.compat.python.framework.registry import Registry
from tfmini.compat.python.framework.traceable_stack import TraceableObject, TraceableStack
from tfmini.compat.python.ops import control_flow_util, init_ops_v2, op_selector
from tfmini.compat.python.ops.custom_gradient import get_dependent_variables
from tfmini.compat.python.ops.spectral_ops_test_util import fft_kernel_label_map
from tfmini.contrib.framework import BoundedTensorSpec


def test_registry_reports_previous_registration():
    registry = Registry("thing")
    registry.register(len)
    registry.register(max, "len_too")
    assert registry.lookup(b"len") is len and sorted(registry.list()) == ["len", "len_too"]
    with pytest.raises(KeyError, match=r"two thing with name 'len'! .*in test_registry.* .*\.py:"):
        registry.register(min, "len")
    with pytest.raises(LookupError, match="thing registry has no entry for: other"):
        registry.lookup("other")


def test_traceable_stack_records_lines():
    stack = TraceableStack()
    line = inspect.currentframe().f_lineno + 1
    assert stack.push_obj("a") == TraceableObject.SUCCESS
    assert stack.push_obj("b", offset=300) == TraceableObject.HEURISTIC_USED
    newest, oldest = stack.copy().peek_traceable_objs()
    assert (oldest.obj, oldest.filename, oldest.lineno) == ("a", __file__, line)
    assert oldest.copy_metadata().obj is None and newest.obj == stack.peek_top_obj() == "b"
    assert list(stack.peek_objs()) == ["b", "a"] and len(stack) == 2 and stack.pop_obj() == "b"


def test_graph_walks():
    variable, other = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    start = tf.constant(1.0)
    middle = start * variable
    end = tf.stop_gradient(middle) + middle * other
    walk = op_selector.get_backward_walk_ops
    assert middle.op not in walk([end.op], stop_at_ts=[middle])
    assert start.op in walk(end) and start.op not in walk(end, within_ops=[end.op])
    assert end.op not in walk([end], inclusive=False)
    assert get_dependent_variables([start], [end]) == [variable]
    assert get_dependent_variables([middle], [tf.identity(middle)]) == []
    assert op_selector.get_consuming_ops([start]) == [middle.op]
    assert op_selector.get_generating_ops([start, end]) == [start.op, end.op]
    with tf.Graph().as_default():
        elsewhere = tf.constant(1)
    with pytest.raises(ValueError, match="Wrong graph"):
        op_selector.check_graphs(start, elsewhere)
    with pytest.raises(ValueError, match="does not belong"):
        op_selector.make_list_of_op([start.op, elsewhere.op])
    assert op_selector.make_list_of_t((start, start.op), ignore_ops=True) == [start]


def test_control_flow_context_of_nodes():
    tf.cond(tf.placeholder(tf.bool), lambda: tf.constant(1) + 1, lambda: 2)
    tf.while_loop(lambda i, n: i < n, lambda i, n: (i + 1, n), [0, tf.constant(3)])
    ask = control_flow_util
    of = {
        name: {
            op.name.split("/")[0] for op in tf.get_default_graph().get_operations() if is_one(op)
        }
        for name, is_one in vars(ask).items()
        if name in ("IsCondMerge", "IsLoopMerge", "IsLoopSwitch", "IsLoopEnter")
    }
    assert of["IsCondMerge"] == {"cond"}
    assert of["IsLoopMerge"] == of["IsLoopSwitch"] == of["IsLoopEnter"] == {"while"}
    switches = [op for op in tf.get_default_graph().get_operations() if op.type == "Switch"]
    assert [ask.IsCondSwitch(op) for op in switches if op.name.startswith("while")] == [False] * 2


def test_bounded_tensor_specs():
    spec = BoundedTensorSpec([None, 3], tf.int32, 0, (5, 6, 7), "bounded")
    assert spec.minimum == 0 and spec.maximum.tolist() == [5, 6, 7]
    lower = BoundedTensorSpec([None, 3], tf.int32, 0, 5, "bounded")
    assert spec == BoundedTensorSpec.from_spec(spec) != lower
    assert BoundedTensorSpec.from_spec(tf.TensorSpec([2], tf.uint8)).maximum == 255
    with pytest.raises(ValueError, match="read-only"):
        spec.maximum[0] = 1
    with pytest.raises(ValueError, match="maximum is not compatible with shape"):
        BoundedTensorSpec([3, 5], tf.uint8, 0, (1, 1, 1))
    with pytest.raises(ValueError, match="must be provided; but saw 'None' and '1'"):
        BoundedTensorSpec([], tf.int32, None, 1)


def test_second_version_initializers():
    make = init_ops_v2
    with tf.Session() as session:
        assert session.run(make.Zeros()([2])).tolist() == [0, 0]
        assert session.run(make.Ones()([2], tf.bool)).tolist() == [True, True]
        assert session.run(make.Identity(2.0)([2, 2])).tolist() == [[2, 0], [0, 2]]
        assert session.run(make.Constant([1, 2])([2, 1], tf.int32)).tolist() == [[1], [2]]
        square = session.run(make.Orthogonal(seed=1)([4, 2]))
        np.testing.assert_allclose(square.T @ square, np.eye(2), atol=1e-6)
        for kind in (make.RandomUniform, make.RandomNormal, make.TruncatedNormal, make.he_normal):
            first, repeated = session.run([kind(seed=3)([5]), kind(seed=3)([5])])
            assert first.tolist() == repeated.tolist()
            assert session.run(kind()([5])).tolist() != first.tolist()
        drawn = session.run(make.GlorotUniform()([100, 200]))
        assert abs(drawn.var() - 1 / 150) < 1e-3
    assert make.VarianceScaling.from_config({"scale": 2.0, "dtype": "float32"}).scale == 2
    with pytest.raises(TypeError, match="Expected Tensor's shape"):
        make.Constant([1, 2, 3])([2])
    with pytest.raises(ValueError, match="only be used for 2D"):
        make.Identity()([2])


def test_composite_tensors_are_not_converted():
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    assert convert_to_tensor_or_composite(sparse) is sparse
    assert convert_to_tensor_or_composite(1, "int64").dtype == tf.int64
    with pytest.raises(ValueError, match="conversion requested dtype int32"):
        convert_to_tensor_or_composite(sparse, tf.int32)


def test_fft_kernels_have_no_label(graph):
    with fft_kernel_label_map():
        transformed = tf.signal.rfft([1.0, 2.0])
    assert "_kernel" not in transformed.op.node_def.attr
