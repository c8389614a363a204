"""uses: the producer, readers and control dependents of a slot."""

import tfmini as tf
from tests.executor.programs import pruned
from tfmini._src.compiler.analysis.def_use import Uses


def test_uses_map_producers_and_readers():
    x = tf.placeholder(tf.float32, [2], name="x")
    root = tf.sqrt(x, name="root")
    with tf.control_dependencies([root]):
        square = tf.multiply(x, x, name="square")
    program = pruned(tf.add(root, square, name="sum"), feeds=[x])
    uses = Uses(program.nodes)
    by_name = {node.origin.name: node for node in program.nodes}
    assert {s: n.origin.name for s, n in uses.producer.items()} == {
        1: "root",
        2: "square",
        3: "sum",
    }
    assert [n.origin.name for n in uses.readers[0]] == ["root", "square", "square"]
    assert uses.only_reader(1) is uses.only_reader(2) is by_name["sum"]
    assert uses.only_reader(0) is None
    assert uses.only_reader(3) is None
    assert uses.awaited_ids == {id(by_name["root"])}
