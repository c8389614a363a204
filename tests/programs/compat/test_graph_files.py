"""Private graph file modules, under the paths that programs import."""

import pytest

import tfmini as tf
from tfmini.compat.python.framework import meta_graph


def test_scope_is_copied_with_meta_graph(tmp_path):
    with tf.Graph().as_default() as graph:
        with graph.colocate_with(tf.ones([], name="elsewhere")), tf.variable_scope("one"):
            v = tf.get_variable("v", initializer=2.0)
            tf.multiply(v, 3.0, name="product")
        assert list(meta_graph.copy_scoped_meta_graph("one", "two")) == ["v:0"]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            assert session.run("two/product:0") == 6.0
        with pytest.raises(ValueError, match="'from_scope' and 'to_scope' need to be different"):
            meta_graph.copy_scoped_meta_graph("one", "one")
        path = str(tmp_path / "model.meta")
        message, variables = meta_graph.export_scoped_meta_graph(path, export_scope="one")
        assert meta_graph.read_meta_graph_file(path) == message
        assert variables == {"v:0": v}
    other = tf.Graph()
    assert list(meta_graph.copy_scoped_meta_graph("one", "one", graph, other)) == ["v:0"]
