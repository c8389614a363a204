"""Graph: operation ids and late modifications."""

import logging

import pytest

import tfmini as tf
from tfmini._src.autodiff.tape import tape_gradients
from tfmini._src.base import proto


def fail():
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        tf.matmul([[1.0, 2.0]], [[1.0, 2.0]])  # its two constants are created before it


def test_failed_node_consumes_an_id():
    graph = tf.get_default_graph()
    fail()
    assert (len(graph.get_operations()), graph.version, graph._last_id) == (2, 2, 3)
    assert tf.constant(1.0).op._id == graph.version == 4


def test_invalid_name_consumes_no_id():
    with pytest.raises(ValueError, match="not a valid node name"):
        tf.constant(1.0, name="a b")
    assert tf.get_default_graph()._last_id == 0


def test_default_seeds_count_failed_nodes():
    tf.set_random_seed(1)
    fail()
    drawn = tf.random_uniform([2])
    seeded = next(op for op in drawn.graph.get_operations() if op.type == "RandomUniform")
    assert seeded.get_attr("seed2") == 6  # after two constants, the failure, a shape and two bounds


def test_import_after_failed_node():
    source = tf.Graph()
    with source.as_default():
        tf.constant(1.0, name="x")
    fail()
    tf.import_graph_def(source.as_graph_def())
    graph = tf.get_default_graph()
    assert graph.get_operation_by_name("import/x")._id == graph.version == graph._last_id == 4


def test_tape_after_failed_node():
    fail()
    x = tf.constant(3.0)
    first = tf.get_default_graph()._last_id
    (grad,) = tape_gradients([x * x], [x], [tf.constant(1.0)], first)
    with tf.Session() as session:
        assert session.run(grad) == 6.0


def test_loss_function_after_failed_node():
    v = tf.Variable(3.0, use_resource=True)
    fail()
    train = tf.train.GradientDescentOptimizer(0.5).minimize(lambda: v * v)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(train)
        assert session.run(v) == 0.0


def test_create_op_names_nodes():
    """Default: the op type; taken literally with a trailing "/", otherwise made unique."""
    graph = tf.get_default_graph()
    c = tf.constant(1.0)
    attrs = {"T": proto.AttrValue(type=tf.float32.as_datatype_enum)}
    names = [
        graph.create_op("Neg", [c], [tf.float32], name=name, attrs=attrs).name
        for name in (None, None, "n/", "m", "m")
    ]
    assert names == ["Neg", "Neg_1", "n", "m", "m_1"]
    with pytest.raises(ValueError, match="Duplicate node name in graph: 'n'"):
        graph.create_op("Neg", [c], [tf.float32], name="n/", attrs=attrs)
    with pytest.raises(TypeError, match="^Input #0 is not a tensor: 3$"):
        graph.create_op("Neg", [3], [tf.float32])


def test_tracebacks_quote_source_lines():
    result = {}
    exec(compile("def f(tf):\n  return tf.constant(1.0)", "<no file>", "exec"), result)
    rows = result["f"](tf).op.traceback_with_start_lines
    index = [row[0] for row in rows].index("<no file>")
    here = test_tracebacks_quote_source_lines.__code__
    assert rows[index] == ("<no file>", 2, "f", None, 1)
    text = 'rows = result["f"](tf).op.traceback_with_start_lines'
    assert rows[index - 1] == (
        __file__,
        here.co_firstlineno + 3,
        here.co_name,
        text,
        here.co_firstlineno,
    )


def test_import_lowers_producer_version(graph):
    producers = []
    for producer in (100, 27, 50):
        tf.import_graph_def(tf.GraphDef(versions={"producer": producer}))
        producers.append(graph.graph_def_versions.producer)
    assert producers == [100, 27, 27]


def test_late_node_mutation_warns(caplog):
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        first, second = tf.constant(1.0, name="first"), tf.constant(2.0, name="second")
        with tf.Session() as session:
            session.run(first)
            second.op._set_device("/cpu:0")
            assert caplog.messages[0].startswith(
                "Operation 'second' was changed by setting device after it was run by a session."
            )
            tf.constant(3.0, name="third").op._set_device("/cpu:0")
        first.op._set_device("/cpu:0")  # not used by an open session
        assert len(caplog.messages) == 1
