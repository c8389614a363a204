"""`tensorflow.python.pywrap_tensorflow`: TensorFlow's C functions that libraries call."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_constant_evaluation():
    from tensorflow.python import pywrap_tensorflow

    with tf.Graph().as_default() as graph:
        known = tf.reduce_all(tf.less([1, 2], 3))
        unknown = tf.placeholder(tf.bool, [])
        value = pywrap_tensorflow.TF_TryEvaluateConstant_wrapper(
            known.graph._c_graph, known._as_tf_output()
        )
        assert value == True  # noqa: E712  numpy's
        result = pywrap_tensorflow.TF_TryEvaluateConstant_wrapper(
            graph._c_graph, unknown._as_tf_output()
        )
        assert result is None


def test_events_writer(tmp_path):
    from tensorflow.python import pywrap_tensorflow

    writer = pywrap_tensorflow.EventsWriter(str(tmp_path / "log").encode())
    summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])
    writer.WriteEvent(tf.Event(step=3, wall_time=1.5, summary=summary))
    writer.Flush()
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("log.out.tfevents.") and writer.FileName() == str(path).encode()
    writer.Close()
    first, second = tf.train.summary_iterator(str(path))
    assert (first.file_version, second.step) == ("brain.Event:2", 3)
    other = pywrap_tensorflow.EventsWriter(str(tmp_path / "other"))
    other.InitWithSuffix(".z")
    assert other.FileName().endswith(b".z")
    other.Close()


def test_registered_kernels():
    from tensorflow.python.framework import kernels

    (kernel,) = kernels.get_registered_kernels_for_op("MatMul").kernel
    assert (kernel.op, kernel.device_type) == ("MatMul", "CPU")
    assert not kernels.get_registered_kernels_for_op("NoSuchOp").kernel
    assert len(kernels.get_all_registered_kernels().kernel) > 300
