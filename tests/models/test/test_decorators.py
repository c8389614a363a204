"""Decorators and helpers of TensorFlow's module `test_util`, under its name."""

import unittest

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.test import (
    decorators,
    error_logging_session,
    garbage_assertions,
    graph_assertions,
    nhwc_to_nchw,
)
from tfmini._src.session.eager.enable import eager_mode


class Case(tf.test.TestCase):
    """Runs functions as its test."""

    def runTest(self):
        pass


def outcome(test):
    """The outcome of a case's test method: "passed", "failed", or the reason for skipping."""
    case = type("Made", (Case,), {"test_it": test})("test_it")
    result = unittest.TestResult()
    case.run(result)
    if result.skipped:
        return result.skipped[0][1]
    return "failed" if result.failures or result.errors else "passed"


def fails(self):
    raise AssertionError


def test_decorated_tests_run():
    for decorator in (
        *(decorators.deprecated_graph_mode_only, decorators.deprecated_graph_mode_only()),
        *(decorators.run_v1_only("why"), decorators.run_in_graph_and_eager_modes),
        *(decorators.use_deterministic_cudnn, decorators.no_op_with_description("why")),
        *(
            decorators.no_op_with_description("why")(),
            decorators.enable_tf_xla_constant_folding("why"),
        ),
        *(decorators.disable_control_flow_v2("why"), decorators.skip_if(False)),
    ):
        assert outcome(decorator(fails)) == "failed", decorator
        assert outcome(decorator(lambda self: None)) == "passed", decorator


def test_skipped_tests():
    assert outcome(decorators.run_v2_only(fails)) == "Test is only compatible with v2"
    assert outcome(decorators.run_gpu_only()(fails)) == "Test requires GPU"
    assert outcome(decorators.run_cuda_only(fails)) == "Test requires CUDA GPU"
    assert outcome(decorators.skip_if(lambda: True)(fails)) == "passed"  # as in TensorFlow


def test_control_flow_v2_decorators():
    @decorators.with_control_flow_v2
    class Case(tf.test.TestCase):
        def test_both(self):
            return {
                op.type
                for op in tf.cond(tf.constant(True), lambda: 1, lambda: 2).graph.get_operations()
            }

        @decorators.disable_control_flow_v2("why")
        def test_one(self):
            raise AssertionError

    assert not hasattr(Case, "test_oneWithControlFlowV2")
    with tf.Graph().as_default():
        assert "Switch" in Case("test_both").test_both()
    with tf.Graph().as_default():
        assert "StatelessIf" in Case("test_both").test_bothWithControlFlowV2()
    assert not tf.control_flow_v2_enabled()


def test_session_is_default_in_graph_and_eager_modes():
    found = []

    @decorators.run_in_graph_and_eager_modes(use_gpu=False)
    def test(self):
        if tf.executing_eagerly():
            found.append(("eager", tf.constant(1).device, tf.constant(3).numpy()))
        else:
            found.append((tf.get_default_session(), tf.constant(1).device, tf.constant(3).eval()))

    assert outcome(test) == "passed"
    assert isinstance(found[0][0], tf.Session)
    assert found[0][1:] == ("/device:CPU:0", 3)
    assert found[1:] == [("eager", "/job:localhost/replica:0/task:0/device:CPU:0", 3)]


def test_class_decorators():
    @decorators.run_all_in_graph_and_eager_modes
    class Both(Case):
        def test_one(self):
            assert tf.executing_eagerly() or tf.get_default_session() is not None

        def test_skip_eager_two(self):
            assert tf.get_default_session() is None

    @decorators.for_all_test_methods(decorators.run_v1_only, "why")
    @decorators.deprecated_graph_mode_only
    class All(Both):
        pass

    for case in (Both, All):
        for name in ("test_one", "test_skip_eager_two"):
            result = unittest.TestResult()
            case(name).run(result)
            assert result.wasSuccessful(), result.errors


@pytest.mark.parametrize(
    "name, arguments, error",
    [
        ("enable_tf_xla_constant_folding", (3,), "'description' should be string"),
    ],
)
def test_invalid_decorations(name, arguments, error):
    with pytest.raises(ValueError, match=error):
        getattr(decorators, name)(*arguments)


def test_combinations_match_tensorflow():
    assert decorators.generate_combinations_with_testcase_name(mode=["a", "b_1"], flag=True) == [
        {"flag": True, "mode": "a", "testcase_name": "_test_flag_True_mode_a"},
        {"flag": True, "mode": "b_1", "testcase_name": "_test_flag_True_mode_b1"},
    ]


def test_garbage_and_leaked_tensors_are_detected():
    kept = []

    def circle(self):
        kept_by_itself = []
        kept_by_itself.append(kept_by_itself)

    def cached_constants(self):
        tf.reduce_sum([1.0, 2.0], 0)

    clean = garbage_assertions.assert_no_garbage_created(lambda self: None)
    assert "passed" in [
        outcome(clean) for _ in range(3)
    ]  # other threads may leave some concurrently
    assert outcome(garbage_assertions.assert_no_garbage_created(circle)) == "failed"
    with eager_mode():
        assert outcome(garbage_assertions.assert_no_new_tensors(cached_constants)) == "passed"
    assert (
        outcome(garbage_assertions.assert_no_new_tensors(lambda self: kept.append(tf.constant(1))))
        == "failed"
    )


def test_sessions_log_errors(caplog, monkeypatch):
    monkeypatch.setattr(tf.get_logger(), "propagate", True)
    with error_logging_session.open_session(None, None, False) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="wrong : Tensor had NaN values"):
            session.run(tf.check_numerics([np.nan], "wrong"))
    assert "wrong" in caplog.text


def test_graph_assertions():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1, name="x")
        with graph_assertions.device(use_gpu=True):
            on_cpu = tf.identity(x)
        with graph_assertions.force_gpu():
            on_gpu = tf.identity(x)
    assert (on_cpu.device, on_gpu.device) == ("/device:CPU:0", "/device:GPU:0")
    assert (
        graph_assertions.assert_ops_in_graph({"x": "Const"}, graph)["x"].attr["dtype"].type
        == tf.int32.as_datatype_enum
    )
    assert graph_assertions.get_node_def_from_graph("x", graph.as_graph_def()).op == "Const"
    assert graph_assertions.get_node_def_from_graph("y", graph.as_graph_def()) is None
    for wanted, error in (
        ({"x": "Add"}, "is different. Add vs Const"),
        ({"y": "Add"}, "Not all expected"),
    ):
        with pytest.raises(ValueError, match=error):
            graph_assertions.assert_ops_in_graph(wanted, graph)
    old = tf.Graph()
    graph_assertions.set_producer_version(old, 7)
    assert old.graph_def_versions.producer == 7


def test_meta_graph_comparison():
    def meta_graph(value):
        with tf.Graph().as_default():
            tf.Variable(value, name="v")
            tf.add_to_collection("texts", "one")
            return tf.train.export_meta_graph()

    graph_assertions.assert_meta_graph_protos_equal(Case(), meta_graph(1.0), meta_graph(1.0))
    with pytest.raises(AssertionError, match="Node named 'v/initial_value': .* is not "):
        graph_assertions.assert_meta_graph_protos_equal(Case(), meta_graph(1.0), meta_graph(2.0))
    other = meta_graph(1.0)
    other.collection_def["texts"].bytes_list.value[0] = b"two"
    with pytest.raises(AssertionError, match='(?s)"one".* != .*"two"'):
        graph_assertions.assert_meta_graph_protos_equal(Case(), meta_graph(1.0), other)


@pytest.mark.parametrize(
    "name, shape, expected",
    [
        ("NHWCToNCHW", [1, 2, 3, 4], [1, 4, 2, 3]),
        ("NHWCToNCHW", [1, 2, 3, 4, 5], [1, 5, 2, 3, 4]),
        ("NCHWToNHWC", [1, 2, 3, 4], [1, 3, 4, 2]),
        ("NHWCToNCHW_VECT_C", [1, 2, 3, 8], [1, 2, 2, 3, 4]),
        ("NCHW_VECT_CToNHWC", [1, 2, 5, 3, 4], [1, 5, 3, 8]),
    ],
)
def test_layout_conversion_of_shapes_and_tensors(name, shape, expected):
    convert = getattr(nhwc_to_nchw, name)
    assert convert(shape) == expected
    assert convert(tf.zeros(shape)).shape.as_list() == expected


def test_layout_conversions_are_inverse():
    x = np.arange(48.0).reshape(1, 2, 3, 8)
    with tf.Session() as session:
        for there, back in (
            ("NHWCToNCHW", "NCHWToNHWC"),
            ("NHWCToNCHW_VECT_C", "NCHW_VECT_CToNHWC"),
        ):
            again = getattr(nhwc_to_nchw, back)(getattr(nhwc_to_nchw, there)(tf.constant(x)))
            np.testing.assert_array_equal(session.run(again), x)
    with pytest.raises(ValueError, match="evenly divisible by 4"):
        nhwc_to_nchw.NHWCToNCHW_VECT_C([1, 2, 3, 5])
    with pytest.raises(ValueError, match="must be 4"):
        nhwc_to_nchw.NCHW_VECT_CToNHWC([1, 2, 3, 5, 5])
