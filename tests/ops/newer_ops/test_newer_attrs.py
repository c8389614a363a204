"""Nodes of ops of 1.15.5 with attrs that later releases added: imported, they give what TensorFlow 2 gave."""

from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.second_release.attr_calls import CALLS
from tfmini._src.base import dtypes, proto
from tfmini._src.graph.graphdef import newer_nodes
from tfmini._src.graph.opdef import registry

RECORD = Path(__file__).parents[2] / "golden" / "second_release" / "attr_calls.npz"
TOLERANCES = {"f": 1e-5, "d": 1e-10, "D": 1e-10}


@pytest.fixture(scope="module")
def results():
    with np.load(RECORD) as kept:
        return dict(kept)


def attr_value(value):
    if isinstance(value, str) and hasattr(dtypes, value):
        return tf.AttrValue(type=dtypes.as_dtype(value).as_datatype_enum)
    if isinstance(value, list):
        return tf.AttrValue(list=tf.AttrValue.ListValue(i=value))
    kind = {str: "s", bool: "b", float: "f", int: "i"}[type(value)]
    return tf.AttrValue(**{kind: value.encode() if isinstance(value, str) else value})


def imported(name, inputs, attrs):
    """The outputs of a node as a release after 1.15 wrote it."""
    with tf.Graph().as_default() as graph:
        for key, value in inputs.items():
            tf.constant(value, name=key)
    graph_def = graph.as_graph_def()
    graph_def.versions.producer = 1800
    node = graph_def.node.add(name="node", op=name, input=list(inputs))
    for key, value in attrs.items():
        node.attr[key].CopyFrom(attr_value(value))
    for key, arg in TYPED.get(name, {}).items():
        node.attr[key].type = tf.as_dtype(inputs[arg].dtype).as_datatype_enum
    (made,) = tf.import_graph_def(graph_def, return_elements=["node"], name="")
    return made.outputs


_SPARSE = {"T": "data", "Tidx": "indices"}
_POINTS = {"T": "updates", "Tindices": "indices"}
TYPED = {
    **{f"SparseSegment{kind}": _SPARSE for kind in ("Sum", "Mean", "SqrtN")},
    **{
        f"SparseSegment{kind}WithNumSegments": {**_SPARSE, "Tnumsegments": "num_segments"}
        for kind in ("Sum", "Mean", "SqrtN")
    },
    **{f"SparseSegment{kind}Grad": {"T": "grad", "Tidx": "indices"} for kind in ("Mean", "SqrtN")},
    "FusedBatchNorm": {"T": "x"},
    **{f"FusedBatchNormV{version}": {"T": "x", "U": "scale"} for version in (2, 3)},
    "TopKV2": {"T": "input", "Tk": "k"},
    "MaxPool": {"T": "input"},
    "MaxPoolGrad": {"T": "grad"},
    "DepthwiseConv2dNative": {"T": "input"},
    "DepthwiseConv2dNativeBackpropInput": {"T": "filter"},
    "DepthwiseConv2dNativeBackpropFilter": {"T": "input"},
    "GatherNd": {"Tparams": "params", "Tindices": "indices"},
    "ScatterNd": _POINTS,
    **{f"TensorScatter{kind}": _POINTS for kind in ("Add", "Sub", "Update")},
    **{f"RFFT{rank}": {"Treal": "input"} for rank in ("", "2D", "3D")},
    **{f"IRFFT{rank}": {"Tcomplex": "input"} for rank in ("", "2D", "3D")},
}


@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda n: f"{n}-{CALLS[n][0]}")
def test_results_are_tensorflow_2s(number, results, graph, session):
    outputs = imported(*CALLS[number])
    for place, (tensor, value) in enumerate(zip(outputs, session.run(list(outputs)), strict=True)):
        want = results[f"{number}/{place}"]
        if CALLS[number][0] == "FusedBatchNormV3" and place > 2:
            continue  # what the gradient takes, in a form of its own
        assert value.dtype == want.dtype and value.shape == want.shape
        assert tensor.shape.is_compatible_with(want.shape)
        tolerance = TOLERANCES.get(want.dtype.char, 0)
        np.testing.assert_allclose(value, want, rtol=tolerance, atol=tolerance)


def test_pooling_with_more_padding_than_window(graph, session):
    attrs = CALLS[17][2] | {"explicit_paddings": [0, 0, 1, 0, 2, 1, 0, 0]}
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Left padding 2 needs to be smaller than the window"
    ):
        session.run(imported(*CALLS[17][:2], attrs)[0])


@pytest.mark.parametrize("policy, index", [("DEFAULT", 0), ("ERROR", 0)])
def test_points_outside_are_an_error_by_the_other_policies(policy, index, graph, session):
    made = imported("GatherNd", CALLS[23][1], {"bad_indices_policy": policy})
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index into param shape"):
        session.run(made[0])


def test_no_other_attr_with_a_meaning_is_dropped(graph):
    """Nodes with another value than the default become other ops, or keep the attr, by whose name they are refused."""
    for (op, key), default in newer_nodes._defaults().items():
        if default == "*":
            continue
        node = proto.NodeDef(name="node", op=op)
        kind = default.WhichOneof("value")
        node.attr[key].CopyFrom(default)
        if kind == "list":
            node.attr[key].list.i.append(3)
        else:
            other = b"IGNORE" if kind == "s" else not default.b if kind == "b" else 9
            setattr(node.attr[key], kind, other)
        newer_nodes.rename_newer(node)
        if node.op == op:
            newer_nodes.drop_newer_attrs(node, registry[op])
        assert node.op != op or key in node.attr, (op, key)
    with pytest.raises(ValueError, match="NodeDef mentions attr 'axis' not in Op<name=Dequantize"):
        imported(
            "Dequantize",
            {"input": np.zeros(2, "f"), "low": np.float32(0), "high": np.float32(1)},
            {"axis": 0, "T": "quint8"},
        )
