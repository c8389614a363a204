"""`tensorflow.python.eager`: modules that libraries and tests import by private names."""

import pytest

import tfmini as tf
from tfmini.compat.python import pywrap_tensorflow
from tfmini.compat.python.autograph.core import ag_ctx
from tfmini.compat.python.eager import (
    backprop,
    cancellation,
    context,
    core,
    execute,
    executor,
    graph_only_ops,
    lift_to_graph,
    tape,
)
from tfmini.compat.python.ops import op_selector

pytestmark = pytest.mark.usefixtures("eager")


def run(name, inputs, *attrs):
    return execute.quick_execute(name, 2, inputs, attrs, context.context())


def test_ops_run_by_name():
    number = tf.float32.as_datatype_enum
    assert float(run(b"Mul", [tf.constant(3.0), 2.0], "T", number)[0]) == 6.0
    parts = run("Split", [0, [1.0, 2.0, 3.0, 4.0]], "num_split", 2, "T", number)
    assert [part.numpy().tolist() for part in parts] == [[1.0, 2.0], [3.0, 4.0]]
    index = tf.int32.as_datatype_enum
    joined = run("ConcatV2", [[1.0], [2.0], 0], "N", 2, "T", number, "Tidx", index)
    assert joined[0].numpy().tolist() == [1.0, 2.0]


def test_invalid_ops_and_attrs():
    with pytest.raises(tf.errors.NotFoundError, match="not registered 'Nothing'"):
        run("Nothing", [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="no attr named 'depth'"):
        run("Identity", [1.0], "depth", 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="pairs"):
        run("Identity", [1.0], "T")
    with pytest.raises(tf.errors.InvalidArgumentError, match="1 inputs too many"):
        run("Identity", [1.0, 2.0])


def test_tapes():
    x, variable = tf.constant(3.0), tf.Variable(2.0, use_resource=True)
    opened = tape.push_new_tape()
    tape.watch(opened, x)
    tape.watch_variable(opened, variable)
    y = x * variable
    assert tape.could_possibly_record() and tape.should_record([y]) and not tape.should_record([1])
    z = tf.constant(1.0)
    tape.record_operation("Mine", [z], [y], lambda dz: dz * 7.0)
    tape.pop_tape(opened)
    assert [op.type for op in opened.recorded][-1] == "IdentityN"
    assert not tape.could_possibly_record()


def test_custom_gradient():
    def f(x):
        y = tf.constant(1.0)
        tape.record_operation("Mine", [y], [x], lambda dy: dy * 7.0)
        tape.variables_accessed([])
        return y

    assert float(backprop.gradients_function(f)(2.0)[0]) == 7.0
    opened = backprop.GradientTape()
    assert opened.watched_variables() == ()


def test_seeds_and_async_calls():
    context.set_global_seed(3)
    assert context.global_seed() == 3
    context.set_global_seed(None)
    context.ensure_initialized()
    context.async_wait()
    context.async_clear_error()
    assert not context.is_async()


def test_status_codes_become_exceptions():
    assert isinstance(core._status_to_exception(5, "gone"), tf.errors.NotFoundError)
    assert isinstance(core._status_to_exception(999, "?"), tf.errors.UnknownError)
    assert core._NotOkStatusException("why", 3).message == "why"


def test_function_captures_and_outputs():
    variable = tf.Variable(2.0, use_resource=True)
    concrete = tf.function(lambda: {"a": variable * 1.0}).get_concrete_function()
    assert concrete.graph.external_captures == [variable.handle]
    assert concrete.graph.internal_captures == concrete.inputs
    assert [*concrete.graph.captures] == [(variable.handle, concrete.inputs[0])]
    assert list(concrete.graph.structured_outputs) == ["a"]


def test_args_to_matching_eager_picks_common_dtype():
    dtype, tensors = execute.args_to_matching_eager([[3, 4]], None, tf.int64)
    assert dtype is tensors[0].dtype is tf.int64
    assert execute.args_to_matching_eager([["text"]], None, tf.int32)[0] is tf.string
    assert execute.args_to_matching_eager([1, tf.constant(2.0)], None)[0] is tf.float32
    types, tensors = execute.convert_to_mixed_eager_tensors(["foo", tf.constant(1)], None)
    assert types == [tensor.dtype for tensor in tensors] == [tf.string, tf.int32]


def test_output_count_is_checked():
    mul = [tf.constant(3), tf.constant(5)]
    assert len(execute.execute(b"Mul", 50, mul, None, None)) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expecting 1 outputs"):
        execute.execute(b"Mul", 0, mul, None, None)
    with pytest.raises(TypeError, match="an integer is required"):
        execute.execute(b"Mul", [], mul, None, None)


def test_op_attr_types():
    assert backprop.op_attr_type("Add", "T") == 4
    assert backprop.op_attr_type("MaxPool", "ksize") == [1]
    assert backprop.make_attr(4, 1) is tf.float32
    assert backprop.make_attr([4], [1]) == [tf.float32]
    assert backprop.make_attr(5, [1, None]) == tf.TensorShape([1, None]).as_proto()
    assert backprop.make_attr(1, 7) == 7
    assert backprop.aggregate_indexed_slices_gradients([]) is None


def test_tensor_shape_slices():
    tensors = [tf.zeros([3, 2]), tf.zeros([2, 3])]
    sizes = pywrap_tensorflow.TFE_Py_TensorShapeSlice
    assert sizes(tensors, 1).numpy().tolist() == [2, 3]
    assert sizes([], 0).shape == [0]
    with pytest.raises(TypeError, match='element 1 has type "str"'):
        sizes([tensors[0], "abc"], 0)
    with pytest.raises(TypeError, match="must be a list or a tuple"):
        sizes(tensors[0], 0)
    with pytest.raises(ValueError, match="non-negative. Got -2"):
        sizes(tensors, -2)
    with pytest.raises(IndexError, match=r"Slice dimension \(2\) must be smaller"):
        sizes(tensors, 2)


def test_execution_modes_and_executors_run_in_order():
    with context.execution_mode(context.ASYNC):
        assert context.context().execution_mode == context.ASYNC
        with context.executor_scope(executor.new_executor(enable_async=True)) as running:
            assert tf.add(1, 2).numpy() == 3
            running.wait()
    assert not context.context().has_function("nothing")
    context.context().executor.wait()
    manager = cancellation.CancellationManager()
    manager.start_cancel()
    assert manager.is_cancelled


def test_unknown_device():
    with pytest.raises(RuntimeError, match="GPU:9 unknown device"), tf.device("/gpu:9"):
        tf.add(1.0, 2.0)
    with tf.device("/gpu:8"):
        assert "CPU:0" in tf.add(1, 2).device
    assert context.context().soft_device_placement is False
    context.context().soft_device_placement = True
    assert tf.config.get_soft_device_placement() is True
    tf.config.set_soft_device_placement(False)


def test_device_scopes():
    now = context.context()
    assert now.device_name == now.device_spec.to_string() == ""
    with now.device("cpu:1"):
        assert now.device_name == "/job:localhost/replica:0/task:0/device:CPU:1"
        assert now.device_spec.device_index == 1
        with now.device(None):
            assert now.device_name == ""
    with pytest.raises(ValueError, match=r"Expecting a string device name. Got <class 'int'>\(3"):
        now.device(3)
    now.ensure_initialized()
    with pytest.raises(RuntimeError, match="Device placement logging must be set at program sta"):
        now.log_device_placement = not now.log_device_placement


def test_graph_placeholders_and_zeros():
    with tf.Graph().as_default(), tf.Session() as session:
        x = graph_only_ops.graph_placeholder(tf.int32, shape=(1,))
        assert session.run(tf.square(x), {x: [4]}).tolist() == [16]
        assert session.run(graph_only_ops.graph_zeros_like([[1, 2]])).tolist() == [[0, 0]]


def test_autograph_status():
    before = ag_ctx.control_status_ctx()
    with ag_ctx.ControlStatusCtx(ag_ctx.Status.DISABLED) as block:
        assert ag_ctx.control_status_ctx().status is block.status is ag_ctx.Status.DISABLED
        assert repr(block) == "ControlStatusCtx[status=Status.DISABLED, options=None]"
    assert ag_ctx.control_status_ctx().status is before.status


@pytest.mark.parametrize("shapes", [1, [1, 2], [1]])
def test_scalars_are_invalid_shapes(shapes):
    attrs = ("component_types", [tf.float64.as_datatype_enum], "shapes", shapes)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Barrier"):
        execute.execute("Barrier", 1, [], attrs, context.context())


def test_unliftable_error_is_shared():
    assert lift_to_graph.UnliftableError is op_selector.UnliftableError
