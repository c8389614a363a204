"""tf.test.main, the process's test folder, and GraphDef comparison."""

import os
import subprocess
import sys
import textwrap

import pytest

import tfmini as tf

PROGRAM = """
    import os
    import tfmini as tf

    class SquareTest(tf.test.TestCase):
        def testGood(self):
            print(tf.test.get_temp_dir())
            with self.session():
                self.assertAllEqual(tf.square([2, 3]).eval(), [4, 9])

        def testBad(self):
            with self.session():
                self.assertAllEqual(tf.square([2, 3]).eval(), [4, 8])

    if __name__ == "__main__":
        tf.test.main()
"""


def test_main_runs_program_tests(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "TEST_TMPDIR": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, env=environment
    )
    assert process.returncode == 1
    assert "Ran 3 tests" in process.stderr
    assert "FAILED (failures=1, skipped=1)" in process.stderr
    directory = process.stdout.strip()
    assert os.path.basename(directory).startswith("program")
    assert os.path.dirname(directory) == str(tmp_path)
    assert not os.path.exists(directory)


def graph_def(build):
    with tf.Graph().as_default() as graph:
        build()
    return graph.as_graph_def()


def one():
    return tf.constant(1.0, name="x")


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (one, lambda: None, "Found unexpected node '{{node x}}'"),
        (lambda: None, one, "Did not find expected node '{{node x}}'"),
        (one, lambda: tf.constant(2.0, name="x"), "Node named 'x'"),
        (one, lambda: tf.placeholder(tf.float32, name="x"), "Node named 'x'"),
    ],
)
def test_differing_graphs(actual, expected, message):
    with pytest.raises(AssertionError, match=message):
        tf.test.assert_equal_graph_def(graph_def(actual), graph_def(expected))


def test_non_graphs_are_refused():
    with pytest.raises(TypeError, match="Expected tf.GraphDef for actual, got Graph"):
        tf.test.assert_equal_graph_def(tf.Graph(), tf.GraphDef())
    with pytest.raises(TypeError, match="Expected tf.GraphDef for expected, got str"):
        tf.test.assert_equal_graph_def(tf.GraphDef(), "graph")


def test_random_names_are_ignored():
    def table(shared_name):
        definition = tf.GraphDef()
        node = definition.node.add(name="table", op="HashTableV2")
        node.attr["shared_name"].s = shared_name
        saved = definition.node.add(name="save/Const", op="Const")
        value = "_temp_" + shared_name.decode() * 32 + "/part"
        saved.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
        return definition

    first, second = table(b"a"), table(b"b")
    tf.test.assert_equal_graph_def(first, second, True, True)
    for options in [(True, False), (False, True)]:
        with pytest.raises(AssertionError, match="Node named"):
            tf.test.assert_equal_graph_def(first, second, *options)


def test_source_directory(monkeypatch):
    monkeypatch.setenv("TEST_SRCDIR", "/sources")
    path = tf.test.test_src_dir_path("python/ops")
    assert path == "/sources/org_tensorflow/tensorflow/python/ops"
