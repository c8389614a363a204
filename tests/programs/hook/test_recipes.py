"""Recipes with internal modules; the values are TensorFlow 1.15.5's or hand-computed."""

import functools
import inspect

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def values(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def nodes(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def test_py_func_gradient_override(graph):
    from tensorflow.python.framework import ops

    def gradient(op, grad):
        return grad * 2.0 * op.inputs[0]

    name = "SquareGrad"
    if name not in ops._gradient_registry._registry:
        ops.RegisterGradient(name)(gradient)
    try:
        assert ops._gradient_registry.lookup(name) is gradient
        x = tf.constant([1.0, 3.0])
        with graph.gradient_override_map({"PyFunc": name}):
            y = tf.py_func(np.square, [x], tf.float32)
        y.set_shape(x.shape)
        assert [v.tolist() for v in values(y, tf.gradients(y, x)[0])] == [[1.0, 9.0], [2.0, 6.0]]
    finally:
        del ops._gradient_registry._registry[name]
    with pytest.raises(LookupError, match="gradient registry has no entry for: SquareGrad"):
        ops._gradient_registry.lookup(name)


def test_gradient_registry_lists_ops():
    from tensorflow.python.framework import ops

    registry = ops._gradient_registry
    assert registry.lookup("Shape") is None
    assert "MatMul" in registry.list() and "MatMul" in registry._registry
    assert callable(registry.lookup("MatMul"))
    with pytest.raises(KeyError, match="Registering two gradient with name 'MatMul'!"):
        registry.register(print, "MatMul")


def test_moving_averages_and_dependencies(graph):
    from tensorflow.python.ops import control_flow_ops
    from tensorflow.python.training import moving_averages

    mean = tf.get_variable("mean", initializer=4.0, trainable=False)
    update = moving_averages.assign_moving_average(mean, 8.0, 0.75, zero_debias=False)
    out = control_flow_ops.with_dependencies([update], tf.constant(1.0))
    assert values(out, mean)[0] == 1.0
    with tf.Session() as session:
        session.run(mean.initializer)
        session.run(out)
        assert session.run(mean) == 5.0


def test_switch_and_merge():
    from tensorflow.python.ops import control_flow_ops

    no, yes = control_flow_ops.switch(tf.constant(2.0), tf.constant(True))
    merged, index = control_flow_ops.merge([no + 1.0, yes * 10.0])
    assert values(merged, index) == (20.0, 1)


def test_custom_rnn_cell():
    from tensorflow.python.ops import rnn, rnn_cell_impl

    class Cell(rnn_cell_impl.LayerRNNCell):
        state_size = output_size = 2

        def build(self, shape):
            self.kernel = self.add_variable("kernel", [shape[-1], 2])

        def call(self, inputs, state):
            state = tf.nn.relu(tf.matmul(inputs, self.kernel) + state)
            return state, state

    cell = Cell(name="sums")
    rnn_cell_impl.assert_like_rnncell("cell", cell)
    assert list(map(rnn_cell_impl._like_rnncell, (cell, Cell, "cell"))) == [True, True, False]
    outputs, _ = rnn.dynamic_rnn(cell, tf.ones([3, 4, 5]), dtype=tf.float32)
    assert outputs.shape == [3, 4, 2]
    assert [v.name for v in tf.trainable_variables()] == ["rnn/sums/kernel:0"]


def test_custom_saver_builder(graph, tmp_path):
    from tensorflow.python import pywrap_tensorflow
    from tensorflow.python.training import saver as saver_lib

    class Builder(saver_lib.BaseSaverBuilder):
        """Reads each variable with a separate node."""

    v = [tf.get_variable(name, initializer=[1.0]) for name in "ab"]
    saver = saver_lib.Saver(v, builder=Builder())
    assert sum(op.type == "RestoreV2" for op in graph.get_operations()) == 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        saver.restore(session, saver_lib.latest_checkpoint(str(tmp_path)))
    reader = pywrap_tensorflow.NewCheckpointReader(path)
    assert reader.get_variable_to_shape_map() == {"a": [1], "b": [1]}


def test_defun():
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, tf.float32, func_name="AddTwice")
    def add_twice(x, y):
        return x + y + y

    assert values(add_twice(1.0, 2.0)) == (5.0,)


# TensorFlow 1.15.5's graphs: node names and types for tf.compat.v2's argument orders.
SECOND = {
    "reduce_sum": (
        lambda v2: v2.reduce_sum([[1.0, 2.0], [3.0, 4.0]], 1, True, "total"),
        [[3.0], [7.0]],
        "total",
    ),
    "gather": (
        lambda v2: v2.gather([[1, 2], [3, 4]], [1, 0], None, 1),
        [[2, 1], [4, 3]],
        "GatherV2",
    ),
    "expand_dims": (lambda v2: v2.expand_dims([1, 2], -1, "e"), [[1], [2]], "e"),
    "transpose": (lambda v2: v2.transpose([[1, 2]], [1, 0], False, "t"), [[1], [2]], "t"),
    "shape": (lambda v2: v2.shape([[1, 2]], tf.int64, "s"), [1, 2], "s"),
    "size": (lambda v2: v2.size([[1, 2]], tf.int64, "s"), 2, "s"),
    "argmax": (lambda v2: v2.argmax([[1, 2]], 1, tf.int32, "a"), [1], "a"),
    "softmax": (lambda v2: v2.nn.softmax([0.0, 0.0], -1, "p"), [0.5, 0.5], "p"),
    "moments": (
        lambda v2: v2.nn.moments(tf.constant([1.0, 3.0]), [0], None, True)[1],
        [1.0],
        "moments/variance",
    ),
    "zeros_like": (lambda v2: v2.zeros_like(input=[1, 2], name="z"), [0, 0], "z"),
    "norm": (lambda v2: v2.norm([3.0, 4.0], keepdims=True), [5.0], "norm/Sqrt"),
    "constant": (lambda v2: v2.constant(7, shape=[2], name="c"), [7, 7], "c"),
    "convert": (lambda v2: v2.convert_to_tensor([1], None, tf.float64, "x"), [1.0], "x"),
    "cond": (lambda v2: v2.cond(tf.constant(True), lambda: [1], lambda: [2])[0], 1, "cond/Merge"),
    "bincount": (lambda v2: v2.math.bincount([1, 1], name="b"), [0, 2], "b/Bincount"),
}


@pytest.mark.parametrize("name", SECOND)
def test_version_two_functions(name):
    from tensorflow.compat import v2

    call, expected, node = SECOND[name]
    created = call(v2)
    assert created.op.name == node
    assert values(created)[0].tolist() == expected


def test_version_two_while_loop_keeps_structure():
    from tensorflow.compat import v2

    created = v2.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])
    assert isinstance(created, list) and values(created[0]) == (3,)


def test_version_two_constant_is_not_extended():
    from tensorflow.python.framework import constant_op

    with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(4,\), got \(2,\)\."):
        constant_op.constant([1, 2], shape=[4])
    assert constant_op.constant([[1, 2], [3, 4]], shape=[4]).shape == [4]
    assert constant_op.is_constant(tf.constant(1)) and not constant_op.is_constant(tf.no_op())


def test_version_two_name_scopes_and_devices(graph):
    from tensorflow.compat import v2

    with v2.name_scope("a") as scope, v2.device("/cpu:0"):
        assert (scope, tf.constant(1).op.name, tf.constant(1).device) == (
            "a/",
            "a/Const",
            "/device:CPU:0",
        )
    with pytest.raises(ValueError, match="name for name_scope must be a string"):
        v2.name_scope(None)
    with pytest.raises(RuntimeError, match="tf.device does not support functions"):
        v2.device(lambda op: "/cpu:0")


def test_inplace_row_update(graph):
    from tensorflow.python.ops import inplace_ops

    x = tf.placeholder_with_default([1.0, 2.0, 3.0], [3])
    single = inplace_ops.alias_inplace_update(x, 0, 7.0)
    assert [op.type for op in graph.get_operations()].count("InplaceUpdate") == 1
    assert values(single)[0].tolist() == [7.0, 2.0, 3.0]


def test_control_flow_contexts_of_nodes():
    from tensorflow.python.ops import control_flow_util

    inside = []

    def body(i):
        inside.append(tf.cond(i > 0, lambda: i + 1, lambda: i + 2))
        return inside[0]

    outside = tf.constant(0)
    tf.while_loop(lambda i: i < 3, body, [outside])
    assert control_flow_util.IsInWhileLoop(inside[0].op)
    assert not control_flow_util.IsInWhileLoop(outside.op)
    assert control_flow_util.IsMerge(inside[0].op) and not control_flow_util.IsInCond(inside[0].op)
    loop = control_flow_util.GetWhileContext(inside[0].op)
    assert control_flow_util.IsContainingContext(loop, None)
    assert not control_flow_util.IsContainingContext(None, loop)


def test_resources_are_initialized():
    from tensorflow.python.ops import resources

    assert resources.shared_resources() == []
    assert resources.initialize_resources([]).type == "NoOp"
    table = tf.contrib.lookup.index_table_from_tensor(["a"])
    ready = tf.constant(False)
    resources.register_resource(table.resource_handle, table.initializer, ready)
    names = resources.report_uninitialized_resources()
    create = resources.initialize_resources(resources.shared_resources())
    with tf.Session() as session:
        assert session.run(names).tolist() == [table.resource_handle.name.encode()]
        session.run(create)
        assert session.run(table.lookup(tf.constant(["a"]))).tolist() == [0]


def test_graph_mode_is_default():
    from tensorflow.python import tf2
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops
    from tensorflow.python.keras.utils import tf_utils

    assert not context.executing_eagerly() and not context.context().executing_eagerly()
    assert not tf2.enabled() and not ops.executing_eagerly_outside_functions()
    assert not isinstance(tf.constant(1), ops.EagerTensor)
    with context.graph_mode():
        assert context.in_graph_mode()
    with context.eager_mode():
        assert context.executing_eagerly() and ops.executing_eagerly_outside_functions()
        assert isinstance(tf.constant(1), ops.EagerTensor)
        assert not tf_utils.is_symbolic_tensor(tf.constant(1))
    assert context.in_graph_mode()


def test_tensor_like_types():
    from tensorflow.python.framework import ops

    variable = tf.get_variable("v", initializer=1.0)
    resource = tf.get_variable("r", initializer=1.0, use_resource=True)
    sparse = tf.SparseTensor([[0]], [1.0], [1])
    assert all(ops.is_dense_tensor_like(t) for t in (variable, resource, tf.constant(1)))
    assert not ops.is_dense_tensor_like(sparse) and isinstance(sparse, ops._TensorLike)
    assert ops._as_graph_element(variable) is variable._as_graph_element()
    assert ops.uid() < ops.uid()
    assert ops.name_from_scope_name("a/b/") == "a/b"


def test_common_shapes():
    from tensorflow.python.framework import common_shapes, tensor_shape

    x = tf.placeholder(tf.float32, [2, None])
    assert common_shapes.rank(x) == 2 and not common_shapes.has_fully_defined_shape(x)
    assert common_shapes.unchanged_shape(tf.identity(x).op)[0].as_list() == [2, None]
    broadcast = common_shapes.broadcast_shape(tf.TensorShape([2, None]), tf.TensorShape([4]))
    assert broadcast.as_list() == [2, 4]
    assert not common_shapes.is_broadcast_compatible(tf.TensorShape([2, 3]), tf.TensorShape([4]))
    assert tensor_shape.scalar() == [] and tensor_shape.unknown_shape(2).as_list() == [None, None]


def test_op_declarations():
    from tensorflow.python.framework import op_def_registry

    declared = op_def_registry.get_registered_ops()["MatMul"]
    assert [arg.name for arg in declared.input_arg] == ["a", "b"]


def test_layer_arguments():
    from tensorflow.python.layers import utils

    assert utils.convert_data_format("channels_first", 4) == "NCHW"
    assert utils.convert_data_format("channels_last", 3) == "NWC"
    assert utils.normalize_tuple(3, 2, "strides") == (3, 3)
    with pytest.raises(
        ValueError, match="The `strides` argument must be a tuple of 2 integers. Received: .1,"
    ):
        utils.normalize_tuple((1,), 2, "strides")
    assert [utils.conv_output_length(10, 3, p, 2) for p in ("same", "valid", "full")] == [5, 4, 6]
    assert [utils.deconv_output_length(5, 3, p, 2) for p in ("same", "valid", "full")] == [
        10,
        11,
        7,
    ]
    assert utils.smart_cond(True, lambda: 1, lambda: 2) == 1


class Called:
    def __init__(self, a, b=1):
        pass

    def __call__(self, x, y=2):
        pass

    def method(self, z):
        pass

    @classmethod
    def of_class(cls, q):
        pass


def plain(a, b, c=3, *args, **kw):
    pass


# TensorFlow 1.15.5's results: getargspec, fn_args, has_kwargs, get_func_name.
ARGUMENTS = [
    (plain, (["a", "b", "c"], "args", "kw", (3,)), ("a", "b", "c"), True, "plain"),
    (Called, (["self", "a", "b"], None, None, (1,)), ("self", "a", "b"), False, "<class 'type'>"),
    (Called(1), (["self", "x", "y"], None, None, (2,)), ("x", "y"), False, f"{Called}"),
    (Called(1).method, (["self", "z"], None, None, None), ("z",), False, "Called.method"),
    (Called.of_class, (["cls", "q"], None, None, None), ("q",), False, "type.of_class"),
    (Called.method, (["self", "z"], None, None, None), ("self", "z"), False, "method"),
    (
        functools.partial(plain, 1),
        (["b", "c"], "args", "kw", (3,)),
        ("b", "c"),
        True,
        "<class 'functools.partial'>",
    ),
    (
        functools.partial(plain, b=2),
        (["a", "b", "c"], "args", "kw", (2, 3)),
        ("a", "c"),
        True,
        "<class 'functools.partial'>",
    ),
]


@pytest.mark.parametrize("case", ARGUMENTS, ids=[str(n) for n in range(len(ARGUMENTS))])
def test_function_arguments(case):
    from tensorflow.python.util import function_utils, tf_inspect

    function, spec, args, has_kwargs, name = case
    assert tuple(tf_inspect.getargspec(function)) == spec
    assert function_utils.fn_args(function) == args
    assert function_utils.has_kwargs(function) is has_kwargs
    assert function_utils.get_func_name(function) == name


def test_partial_without_argument_order():
    from tensorflow.python.util import function_utils, tf_inspect

    with pytest.raises(ValueError, match=r"Some arguments \['b'\] do not have default value"):
        tf_inspect.getargspec(functools.partial(plain, a=2))
    with pytest.raises(TypeError, match="fn should be a function-like object, but is of type"):
        function_utils.has_kwargs(3)


def test_decorators_expose_their_targets():
    from tensorflow.python.util import (
        keyword_args,
        tf_contextlib,
        tf_decorator,
        tf_export,
        tf_inspect,
    )

    @tf_contextlib.contextmanager
    def block(a):
        """About the block."""
        yield a

    with block(3) as result:
        assert result == 3
    (decorator,), target = tf_decorator.unwrap(block)
    assert (decorator.decorator_name, target) == ("contextmanager", block.__wrapped__)
    assert tf_inspect.getargspec(block).args == ["a"] and block.__doc__ == "About the block."
    assert tf_inspect.getsource(block) == inspect.getsource(target)

    @keyword_args.keyword_args_only
    def named(a):
        return a

    assert named(a=1) == 1
    with pytest.raises(ValueError, match=r"Must use keyword args to call named\."):
        named(1)

    @tf_export.tf_export("nn.mine", v1=["mine"])
    def exported(a, b=1):
        return a

    assert exported._tf_api_names == ("nn.mine",) and exported._tf_api_names_v1 == ("mine",)
    only = tf_export.kwarg_only(exported)
    with pytest.raises(
        TypeError, match=r"exported only takes keyword args \(possible keys: \['a', 'b'\]\)"
    ):
        only(1)

    def other(a):
        return 7

    tf_decorator.rewrap(named, named.__wrapped__, other)
    assert tf_decorator.unwrap(named)[1] is other


def test_hidden_and_lazily_loaded_names(tmp_path, monkeypatch):
    from tensorflow.python.util import all_util, lazy_loader

    (tmp_path / "hiding_names.py").write_text(
        '"""About.\n\n@@shown\n"""\nshown = hidden = _own = kept = 1\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    names = {}
    late = lazy_loader.LazyLoader("late", names, "hiding_names")
    assert names == {} and late.shown == 1
    module = names["late"]
    assert module.__name__ == "hiding_names"
    all_util.remove_undocumented("hiding_names", ["kept"])
    assert [n for n in vars(module) if not n.startswith("__")] == ["shown", "_own", "kept"]
    all_util.reveal_undocumented("hiding_names.hidden")
    assert module.hidden == 1


def test_symbolic_tensor_types():
    from tensorflow.python.keras.utils import tf_utils

    Mine = type("Mine", (), {})
    tf.register_tensor_conversion_function(Mine, lambda *args, **kwargs: tf.constant(1))
    assert tf_utils.is_symbolic_tensor(tf.constant(1)) and not tf_utils.is_symbolic_tensor(Mine())
    tf_utils.register_symbolic_tensor_type(Mine)
    assert tf_utils.is_symbolic_tensor(Mine())
    with pytest.raises(ValueError, match="cls_type must be a class"):
        tf_utils.register_symbolic_tensor_type(3)


# TensorFlow 1.15.5's results: libraries compare the arguments of their own functions with these.
SIGNATURES = {
    "cast": (["x", "dtype", "name"], (None,)),
    "concat": (["values", "axis", "name"], ("concat",)),
    "pad": (["tensor", "paddings", "mode", "constant_values", "name"], ("CONSTANT", 0, None)),
    "reduce_sum": (["input_tensor", "axis", "keepdims", "name"], (None, False, None)),
    "shape": (["input", "out_type", "name"], (tf.int32, None)),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_public_function_signatures(name):
    from tensorflow.compat import v2
    from tensorflow.python.util import tf_inspect

    result = tf_inspect.getfullargspec(getattr(v2, name))
    assert (result.args, result.defaults) == SIGNATURES[name]
    assert (result.varargs, result.varkw, result.annotations) == (None, None, {})


def test_linear_helper_of_rnn_cells(graph):
    from tensorflow.contrib.rnn.python.ops import core_rnn_cell

    with tf.variable_scope("a"):
        both = core_rnn_cell._linear([tf.ones([2, 3]), tf.ones([2, 1])], 4, True)
        with tf.variable_scope("b", initializer=tf.ones_initializer()):
            alone = core_rnn_cell._linear(tf.ones([2, 3]), 5, False)
    names = [name for name, _ in nodes(graph)]
    assert [both.op.name, alone.op.name] == ["a/a/BiasAdd", "a/b/b/MatMul"]
    assert {"a/kernel/read", "a/a/concat", "a/a/MatMul", "a/bias/read", "a/b/kernel"} <= {*names}
    assert values(alone)[0].tolist() == [[3.0] * 5] * 2
    assert issubclass(core_rnn_cell._Linear, object)
