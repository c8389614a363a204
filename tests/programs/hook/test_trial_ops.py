"""`tensorflow.python.framework.test_ops`, and other parts of `framework` used by graph tests."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_functions_add_nodes():
    from tensorflow.python.framework import test_ops

    with tf.Graph().as_default():
        x = test_ops.float_output()
        first, second = test_ops.two_int_outputs()
        assert (x.op.type, x.dtype) == ("FloatOutput", tf.float32)
        assert (first.op.type, second.dtype) == ("TwoIntOutputs", tf.int32)
        assert test_ops.none(name="nothing").name == "nothing"
    with pytest.raises(AttributeError, match="test_ops' has no attribute 'no_such_op'"):
        getattr(test_ops, "no_such_op")  # noqa: B009


def test_node_statistics():
    from tensorflow.python.framework import ops

    @ops.RegisterStatistics("TrialOfStatistics", "flops")
    def flops(graph, node):
        return ops.OpStats("flops", len(node.name))

    node = tf.NodeDef(name="four", op="TrialOfStatistics")
    result = ops.get_stats_for_node_def(tf.get_default_graph(), node, "flops")
    result += ops.OpStats("flops", 5)
    assert result.value == 9
    assert ops.get_stats_for_node_def(None, tf.NodeDef(op="Other"), "flops").value is None
    with pytest.raises(ValueError, match="Can't add an OpStat of type flops to one of bytes."):
        result += ops.OpStats("bytes", 1)
    with pytest.raises(
        KeyError,
        match="Registering two statistical functions with name 'TrialOfStatistics,flops'! .*py:",
    ):
        ops.RegisterStatistics("TrialOfStatistics", "flops")(flops)
    for op_type, statistic, text in [
        (3, "flops", "op_type must be a string."),
        ("a,b", "flops", "op_type must not contain a comma."),
        ("a", 3, "statistic_type must be a string."),
        ("a", "b,c", "statistic_type must not contain a comma."),
    ]:
        with pytest.raises(TypeError, match=text):
            ops.RegisterStatistics(op_type, statistic)


def test_framework_devices():
    from tensorflow.python.framework import device, device_spec

    with tf.Graph().as_default(), tf.device(device.merge_device("/job:worker/device:GPU:0")):
        with tf.device(device.merge_device("/device:CPU:1")):
            assert tf.constant(1).device == "/job:worker/device:CPU:1"
    assert device.canonical_name("/gpu:1/job:a") == "/job:a/device:GPU:1"
    assert device.canonical_name(None) == ""
    with pytest.raises(ValueError, match="Unknown attribute: 'tpu' in 'tpu'"):
        device.check_valid("tpu")
    spec = device_spec.DeviceSpecV2(job="worker", device_type="gpu")
    assert spec.to_string() == "/job:worker/device:GPU:*"
    assert device.is_device_spec(tf.DeviceSpec()) and isinstance(tf.DeviceSpec(), type(spec))
    with pytest.raises(AttributeError, match="can't set attribute"):
        spec.job = "ps"
    assert spec.replace(job="ps").job == "ps"
    assert spec.parse_from_string("/cpu:0").to_string() == "/device:CPU:0"


def test_node_shapes():
    from tensorflow.python.framework import common_shapes

    with tf.Graph().as_default():
        result = common_shapes.call_cpp_shape_fn(tf.zeros([2, 3]).op)
    assert result["shapes"] == [tf.TensorShape([2, 3])]


def test_numpy_bfloat16():
    from tensorflow.python import pywrap_tensorflow

    assert pywrap_tensorflow.TF_bfloat16_type() is tf.bfloat16.as_numpy_dtype
    assert float(pywrap_tensorflow.TF_bfloat16_type()(1.0)) == 1.0


def test_shape_pickles_by_dimensions():
    made_by, arguments = tf.TensorShape([2, None]).__reduce__()
    assert made_by is tf.TensorShape
    assert str(arguments) == "([Dimension(2), Dimension(None)],)"  # TensorFlow's
    assert tf.TensorShape(None).__reduce__() == (tf.TensorShape, (None,))


def test_kernel_labels():
    from tensorflow.python.framework import test_ops

    with tf.Graph().as_default() as graph, tf.Session() as session:
        plain = test_ops.kernel_label()
        with graph._kernel_label_map({"KernelLabel": "overload_1"}):
            other = test_ops.kernel_label()
        version = test_ops.graph_def_version()
        assert session.run([plain, other]) == [b"My label is: default", b"My label is: overload_1"]
        assert session.run(version) == graph.graph_def_versions.producer
        defaults = test_ops.default_attrs()
        assert defaults.get_attr("string_list_val") == [b"abc", b""]
        assert defaults.get_attr("tensor_val") == tf.make_tensor_proto(1)


def test_node_defs():
    from tensorflow.python.framework import ops

    on_gpu = tf.DeviceSpec(device_type="GPU", device_index=1)
    assert ops._NodeDef("None", "a") == tf.NodeDef(op="None", name="a")
    assert ops._NodeDef("None", "a", device=on_gpu).device == "/device:GPU:1"
    assert ops._NodeDef("None", "a", device=lambda node: node.op).device == "None"
    attrs = {"T": tf.AttrValue(i=3)}
    assert ops._NodeDef("None", "a", attrs=attrs).attr["T"].i == 3
