"""1.15.5's ops with attrs that later releases added: imported nodes return TensorFlow 2's results."""

from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.second_release.attr_calls import CALLS
from tfmini._src.base import dtypes, proto
from tfmini._src.graph.graphdef import newer_nodes
from tfmini._src.graph.opdef import raw, registry

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
    """The outputs of a node written by a release after 1.15."""
    with tf.Graph().as_default() as graph:
        for key, value in inputs.items():
            if (name, key) == ("Dequantize", "input"):
                tf.bitcast(value, attrs["T"], name=key)
            else:
                tf.constant(value, name=key)
    graph_def = graph.as_graph_def()
    graph_def.versions.producer = 1800
    node = graph_def.node.add(name="node", op=name, input=list(inputs))
    for key, value in attrs.items():
        node.attr[key].CopyFrom(attr_value(value))
    for key, arg in TYPED.get(name, {}).items():
        node.attr[key].type = tf.as_dtype(inputs[arg].dtype).as_datatype_enum
    (created,) = tf.import_graph_def(graph_def, return_elements=["node"], name="")
    return created.outputs


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
    **{f"ImageProjectiveTransformV{version}": {"dtype": "images"} for version in (2, 3)},
    **{f"QuantizeAndDequantizeV{version}": {"T": "input"} for version in (2, 3)},
}


@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda n: f"{n}-{CALLS[n][0]}")
def test_results_match_tensorflow_2(number, results, graph, session):
    outputs = imported(*CALLS[number])
    for place, (tensor, value) in enumerate(zip(outputs, session.run(list(outputs)), strict=True)):
        expected = results[f"{number}/{place}"]
        if value.dtype.names:  # quantized: as integers
            value = value.view(expected.dtype)
        if CALLS[number][0] == "FusedBatchNormV3" and place > 2:
            continue  # input of the gradient, in a separate form
        assert value.dtype == expected.dtype and value.shape == expected.shape
        assert tensor.shape.is_compatible_with(expected.shape)
        tolerance = TOLERANCES.get(expected.dtype.char, 0)
        np.testing.assert_allclose(value, expected, rtol=tolerance, atol=tolerance)


def test_padding_larger_than_window_is_refused(graph, session):
    attrs = CALLS[17][2] | {"explicit_paddings": [0, 0, 1, 0, 2, 1, 0, 0]}
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Left padding 2 needs to be smaller than the window"
    ):
        session.run(imported(*CALLS[17][:2], attrs)[0])


@pytest.mark.parametrize("policy, index", [("DEFAULT", 0), ("ERROR", 0)])
def test_out_of_range_points_fail_under_other_policies(policy, index, graph, session):
    created = imported("GatherNd", CALLS[23][1], {"bad_indices_policy": policy})
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index into param shape"):
        session.run(created[0])


def test_no_meaningful_attr_is_dropped(graph):
    """Nodes with non-default values become other ops, or are rejected by attr name."""
    for (op, key), default in newer_nodes._attr_defaults().items():
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
    with pytest.raises(
        ValueError, match="NodeDef mentions attr 'perturb_singular' not in Op<name=Tridiag"
    ):
        imported(
            "TridiagonalSolve",
            {"diagonals": np.ones((3, 2), "f"), "rhs": np.ones((2, 1), "f")},
            {"perturb_singular": True},
        )


@pytest.mark.parametrize(
    "name, changed, attrs, message",
    [
        ("QuantizeV2", {}, {"mode": "MIN_FIRST"}, "MIN_FIRST mode is not implemented for Quantize"),
        ("QuantizeV2", {"max_range": np.ones(2, "f")}, {}, "max_range is a 1-D tensor of size 2"),
        ("Dequantize", {"min_range": np.ones(2, "f")}, {}, r"dequantization axis \(1\), got 2, exp"),
        ("Dequantize", {}, {"mode": "MIN_FIRST"}, "not implemented for Dequantize with axis != -1"),
        ("QuantizeAndDequantizeV3", {"input_max": np.ones(2, "f")}, {}, "size, was 2 expected 3"),
        ("CTCGreedyDecoder", {}, {"blank_index": 4}, "expected to be between -4 and 3 but was 4"),
        ("ImageProjectiveTransformV2", {}, {"fill_mode": "MIRROR"}, "Invalid mode MIRROR"),
        ("ImageProjectiveTransformV3", {"fill_value": np.ones(2, "f")}, {}, "must be a scalar"),
    ],
)  # fmt: skip
def test_errors_match_tensorflow_2(name, changed, attrs, message, graph, session):
    _, inputs, attrs_before = next(c for c in CALLS if c[0] == name and "narrow_range" not in c[2])
    with pytest.raises(tf.errors.OpError, match=message) as caught:
        session.run(imported(name, inputs | changed, attrs_before | attrs)[0])
    expected = (
        tf.errors.UnimplementedError if "implemented" in message else tf.errors.InvalidArgumentError
    )
    assert type(caught.value) is expected


def test_axis_beyond_rank_fails_at_import(graph):
    call = next(call for call in CALLS if call[0] == "QuantizeV2")
    with pytest.raises(ValueError, match="Shape must be at least rank 4 but is rank 3"):
        imported(*call[:2], call[2] | {"axis": 3})


def test_gradients_of_newer_attrs(session):
    """TensorFlow 2's: quantization passes them through, a transform applies its inverse."""
    images = tf.ones([1, 3, 3, 1])
    shift = [[1.0, 0, 1, 0, 1, 0, 0, 0]]
    for seen in (
        raw.ImageProjectiveTransformV3(images, shift, [3, 3], 5.0, interpolation="NEAREST"),
        raw._ImageProjectiveTransformV2Filling(
            images, shift, [3, 3], interpolation="NEAREST", fill_mode="CONSTANT", name="seen"
        ),
    ):
        (grad,) = tf.gradients(seen, images)
        assert session.run(grad)[0, :, :, 0].tolist() == [[0, 1, 1]] * 3
    values = tf.constant([[1.0, 2], [3, 5]])
    steps = raw._QuantizeAndDequantizeV2AlongAxis(values, 0.0, 0.0, axis=0, name="steps")
    assert session.run(tf.gradients(steps, values)[0]).tolist() == [[1, 1], [1, 1]]
