"""`tf.contrib.summary` and `tf.compat.v2.summary` in eager mode: the events that TensorFlow 1.15.5 writes."""

import gc
import glob

import pytest

import tfmini as tf
from tfmini._src.train.summary_v2 import trace, write_summary
from tfmini._src.train.summary_v2.record_summaries import record_if, set_step
from tfmini._src.train.summary_v2.summary_writer import create_file_writer_v2

pytestmark = pytest.mark.usefixtures("eager")

summary = tf.contrib.summary


def written(directory):
    [path] = glob.glob(f"{directory}/*")
    return [
        (event.step, value.tag, value.WhichOneof("value"))
        for event in tf.train.summary_iterator(path)
        for value in event.summary.value
    ]


def test_summaries_are_written_immediately(tmp_path):
    writer, step = summary.create_file_writer(str(tmp_path)), tf.train.get_or_create_global_step()
    with writer.as_default(), summary.always_record_summaries():
        assert summary.scalar("a", 2.0).numpy()
        summary.histogram("h", [1.0, 2.0], step=5)
        with tf.name_scope("n"):
            summary.scalar("z", 1.0)
        with summary.never_record_summaries():
            summary.scalar("no", 1.0)
        with summary.record_summaries_every_n_global_steps(2):
            for _ in range(4):
                step.assign_add(1)
                summary.scalar("every", 1.0)
    assert written(tmp_path) == [
        (0, "a", "simple_value"),
        (5, "h", "histo"),
        (0, "n/z", "simple_value"),
        (2, "every", "simple_value"),
        (4, "every", "simple_value"),
    ]


def test_deleted_writer_frees_its_name(tmp_path):
    tf.train.get_or_create_global_step()
    for directory in (tmp_path / "first", tmp_path / "second"):
        writer = summary.create_file_writer(str(directory), name="shared")
        with writer.as_default(), summary.always_record_summaries():
            summary.scalar("a", 2.0)
        assert written(directory) == [(0, "a", "simple_value")]
        del writer


def test_graph_event(tmp_path):
    writer, drawn = summary.create_file_writer(str(tmp_path)), tf.Graph()
    with drawn.as_default():
        tf.constant(1.0, name="one")
    with writer.as_default():
        for param in (drawn, drawn.as_graph_def()):
            summary.graph(param, step=0)
    writer.close()
    [path] = glob.glob(f"{tmp_path}/*")
    graphs = [event.graph_def for event in tf.train.summary_iterator(path) if event.graph_def]
    assert [tf.GraphDef.FromString(text).node[0].name for text in graphs] == ["one", "one"]


def test_write(tmp_path):
    writer, step = create_file_writer_v2(str(tmp_path)), tf.Variable(10, dtype=tf.int64)

    @tf.function
    def every_second(x):
        with tf.name_scope("f"), record_if(lambda: tf.equal(step % 2, 0)):
            return write_summary.write("in", x)

    assert not write_summary.write("no writer", 1).numpy()
    with writer.as_default():
        with write_summary.summary_scope("lo ss!", "scalar", []) as (tag, scope):
            assert (tag, scope) == ("lo ss!", "loss/")
            assert write_summary.write(tag, 1.5, step=3).numpy()
        set_step(step)
        with record_if(False):
            assert not write_summary.write("off", 1.0).numpy()
        assert [(bool(every_second(n)), step.assign_add(1)) and n for n in range(3)] == [0, 1, 2]
        message = tf.Summary(value=[tf.Summary.Value(tag="raw", simple_value=1.0)])
        assert write_summary.write_raw_pb(message.SerializeToString(), step=5).numpy()
        set_step(None)
        with pytest.raises(ValueError, match="^No step set via 'step' argument or tf.summary"):
            write_summary.write("x", 1)
    assert [writer.close() and None, writer.close()] == [None, None]
    with pytest.raises(RuntimeError, match="^SummaryWriter is already closed$"):
        writer.set_as_default()
    assert written(tmp_path) == [
        (3, "lo ss!", "tensor"),
        (10, "in", "tensor"),
        (12, "in", "tensor"),
        (5, "raw", "simple_value"),
    ]


def test_writer_in_a_function(tmp_path):
    created = []

    @tf.function
    def steps(n):
        if not created:
            created.append(create_file_writer_v2(str(tmp_path)))
        with created[0].as_default():
            write_summary.write("n", n, step=1)

    steps(1)
    steps(2)
    assert written(tmp_path) == [(1, "n", "tensor")] * 2
    array = created[0]._resource._array
    created.clear()
    del steps
    gc.collect()
    with pytest.raises(tf.errors.NotFoundError, match="SummaryWriterInterface"):
        array.writer()

    @tf.function
    def refused(directory):
        create_file_writer_v2(directory)

    with pytest.raises(
        ValueError, match='^in converted(.|\n)*Invalid graph Tensor argument "logdir='
    ):
        refused(tf.constant("f"))


def test_trace(tmp_path, caplog):
    @tf.function
    def cube(x):
        trace.trace_on()  # where it has no use
        return x * x * x

    with pytest.raises(ValueError, match=r"^Must enable trace before export\.$"):
        trace.trace_export("t", 1)
    with create_file_writer_v2(str(tmp_path)).as_default():
        trace.trace_on()
        cube(tf.constant(2.0))
        trace.trace_export("t", 1)
        trace.trace_on(profiler=True)
        with pytest.raises(ValueError, match="^Required profiler_outdir is not specified$"):
            trace.trace_export("t", 1)
        trace.trace_off()
    assert "Cannot enable trace inside a tf.function." in caplog.text
    [path] = glob.glob(f"{tmp_path}/*")
    [value] = [v for event in tf.train.summary_iterator(path) for v in event.summary.value]
    assert value.metadata.plugin_data.plugin_name == "graph_run_metadata_graph"
    [graphs] = tf.RunMetadata.FromString(value.tensor.string_val[0]).function_graphs
    assert [n.op for n in graphs.pre_optimization_graph.node].count("Mul") == 2


def test_keras_model(tmp_path, caplog):
    with create_file_writer_v2(str(tmp_path)).as_default():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        assert write_summary.keras_model("keras", model, step=0).numpy()
        assert write_summary.keras_model("keras", tf.keras.Model(), step=0) is False
    assert written(tmp_path) == [(0, "keras", "tensor")]
    assert "Model failed to serialize as JSON. Ignoring" in caplog.text
