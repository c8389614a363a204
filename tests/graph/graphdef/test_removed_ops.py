"""Ops removed from newer graphs, and the deprecations in TensorFlow 1.15.5's OpDefs."""

import pytest

import tfmini as tf
from tests.support import goldens
from tfmini._src.base import proto
from tfmini._src.graph.graphdef.removed_ops import REMOVED_OPS


def test_removed_ops_match_op_def_deprecations():
    ops = proto.OpList.FromString(goldens.read_bytes(goldens.golden_path("op_defs.pb.xz")))
    gone = {op.name: op.deprecation for op in ops.op if op.HasField("deprecation")}
    for name in gone.keys() & REMOVED_OPS.keys():
        assert REMOVED_OPS[name] == (gone[name].version, gone[name].explanation)
    assert gone.keys() ^ REMOVED_OPS.keys() == {
        "NegTrain",
        "Old",
        "Skipgram",
    }  # of tests, word2vec's


@pytest.mark.parametrize("version, is_there", [(21, True), (22, False), (23, False)])
def test_removed_op_depends_on_producer_version(version, is_there):
    graph_def = tf.GraphDef()
    graph_def.versions.producer = version
    x = graph_def.node.add(op="Placeholder", name="x")
    x.attr["dtype"].type = tf.float32.as_datatype_enum
    node = graph_def.node.add(op="QuantizeAndDequantize", name="q", input=["x"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    text = "QuantizeAndDequantize"
    if not is_there:
        text += (
            f" is not available in GraphDef version {version}. It has been removed in version 22"
        )
    with tf.Graph().as_default(), pytest.raises(tf.errors.OpError, match=text) as caught:
        tf.import_graph_def(graph_def)
    assert isinstance(caught.value, tf.errors.NotFoundError) is is_there
