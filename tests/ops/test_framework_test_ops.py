"""TensorFlow's graph test ops: each matches TensorFlow's, or is listed as missing."""

import pytest

import tfmini as tf
from tests.support import cases, goldens
from tfmini._src.base import proto
from tfmini._src.graph import op_registry
from tfmini._src.graph.nodedef import op_def
from tfmini._src.ops import framework_test_ops

GOLDEN = goldens.golden_path("trial_op_defs.pb.xz")
EXPECTED = {op.name: op for op in proto.OpList.FromString(goldens.read_bytes(GOLDEN)).op}

# Devices as values, versions rejected by an op.
LEFT_OUT = {
    "DevicePlacementOp",
    "FuncListAttr",
    "Old",
    "RequiresOlderGraphVersion",
    "TestAttr",
}


@cases.in_one_test
@pytest.mark.parametrize("op_type", framework_test_ops.TYPES)
def test_op_def_matches_tensorflow(op_type):
    assert op_def(op_registry.opdef(op_type)) == EXPECTED[op_type]


def test_other_ops_are_not_registered():
    assert set(EXPECTED) - set(framework_test_ops.TYPES) == LEFT_OUT


def test_graph_with_test_ops_is_imported():
    node = proto.NodeDef(name="two", op="TwoIntOutputs")
    with tf.Graph().as_default(), tf.Session() as session:
        (second,) = tf.import_graph_def(
            proto.GraphDef(node=[node]), return_elements=["two:1"], name=""
        )
        assert second.dtype == tf.int32
        with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered"):
            session.run(second)
        assert session.run(second, {second: 3}) == 3
