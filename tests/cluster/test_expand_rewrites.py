"""Graphs rewritten by TensorFlow's optimizer, on a tfmini worker."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import ROOT, cluster_of, ran, run_program
from tfmini._src.base import proto
from tfmini._src.cluster.expand_rewrites import expand_rewrites
from tfmini._src.cluster.worker import Worker

PROGRAM = Path(ROOT, "tests/cluster/rewritten_cases.py").read_text()
NAME = "/job:local/replica:0/task:0"


@functools.cache
def by_tensorflow(reference):
    """TensorFlow's values, computed in one process."""
    return json.loads(run_program(PROGRAM, "tensorflow", "", "/cpu:0", python=reference))


@pytest.mark.reference
@pytest.mark.parametrize(
    "client, theirs",
    [
        ("tensorflow", [("worker", 0)]),
        ("tfmini", [("worker", 0)]),
        ("tensorflow", [("ps", 0)]),
        ("tensorflow", []),
    ],
    ids=["master", "master-tfmini", "worker", "client"],
)
def test_mixed_clusters(reference, client, theirs):
    values = by_tensorflow(reference)
    with cluster_of({"ps": 1, "worker": 1}, theirs, reference) as tasks:
        python = reference if client == "tensorflow" else None
        target = tasks["worker", 0].target
        actual = json.loads(run_program(PROGRAM, client, target, "/job:ps", python=python))
    assert actual.keys() == values.keys()
    fuses = ("worker", 0) in theirs
    assert actual.pop("error") == [True, "fused" if fuses else "product"]
    for case, value in actual.items():
        for one, expected in zip(value, values[case], strict=True):
            np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-6, err_msg=case)


def node(graph_def, name, op, inputs=(), **attrs):
    """Adds a node that only the rewriter creates, not the Python API."""
    result = graph_def.node.add(name=name, op=op, input=inputs, device=f"{NAME}/device:CPU:0")
    for key, value in attrs.items():
        attr = result.attr[key]
        if isinstance(value, tf.DType):
            attr.type = value.as_datatype_enum
        elif isinstance(value, bool):
            attr.b = value
        elif isinstance(value, int):
            attr.i = value
        elif isinstance(value, float):
            attr.f = value
        else:
            attr.list.s.extend(text.encode() for text in value)
    return result


def constant(graph_def, name, value):
    result = node(graph_def, name, "Const", dtype=tf.as_dtype(np.asarray(value).dtype))
    result.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))


def fetched(graph_def, source):
    """The value of a float32 output on a worker, fetched by a client's _Send."""
    send = node(graph_def, "sent", "_Send", [source], T=tf.float32, client_terminated=True)
    for key in ("tensor_name", "send_device", "recv_device"):
        send.attr[key].s = b"sent"
    send.attr["send_device_incarnation"].i = 1
    worker = Worker(NAME, {NAME: "localhost:0"})
    try:
        handle = worker.register("", graph_def)
        (key,) = worker.graph("", handle).fetches
        return ran(worker, "", handle, 1, {}, [key])[0]
    finally:
        worker.close()


X, W, B = (
    np.cos(np.arange(n, dtype="f")).reshape(s) for n, s in [(6, (2, 3)), (6, (3, 2)), (2, 2)]
)


def fused(graph_def, *ops, **attrs):
    for name, value in {"x": X, "w": W, "b": B}.items():
        constant(graph_def, name, value)
    settings = {"T": tf.float32, "fused_ops": ops, "num_args": 1, "epsilon": 0.0}
    transposed = {"transpose_a": False, "transpose_b": False}
    return node(graph_def, "y", "_FusedMatMul", ["x", "w", "b"], **settings, **transposed, **attrs)


def test_fused_product():
    graph_def = tf.GraphDef()
    fused(graph_def, "BiasAdd", "Relu6")
    np.testing.assert_allclose(fetched(graph_def, "y"), np.clip(X @ W + B, 0, 6), rtol=1e-6)


def test_control_dependents_wait_for_last_expanded_node():
    graph_def = tf.GraphDef()
    node(graph_def, "never", "NoOp")
    fused(graph_def, "BiasAdd").input.append("^never")
    result, stands_for = expand_rewrites(graph_def)
    product, bias = result.node[-2:]
    assert (product.op, *product.input) == ("MatMul", "x", "w", "^never")
    assert (bias.name, bias.op, *bias.input) == ("y", "BiasAdd", product.name, "b")
    assert stands_for == {product.name: "y"}


def test_unary_chain():
    graph_def = tf.GraphDef()
    constant(graph_def, "x", np.array([0.25, 4.0], "f"))
    node(
        graph_def, "y", "_UnaryOpsComposition", ["x"], T=tf.float32, op_names=["Sqrt", "Neg", "Exp"]
    )
    np.testing.assert_allclose(fetched(graph_def, "y:0"), np.exp([-0.5, -2.0]), rtol=1e-6)


@pytest.mark.parametrize("index, branch", [(-1, 2), (0, 0), (1, 1), (2, 2), (9, 2)])
def test_switch(index, branch):
    graph_def = tf.GraphDef()
    constant(graph_def, "x", np.float32(3.0))
    constant(graph_def, "index", np.int32(index))
    node(graph_def, "s", "_SwitchN", ["x", "index"], T=tf.float32, num_outs=3)
    for output in range(3):
        constant(graph_def, f"c{output}", np.float32(output))
        source = f"s:{output}" if output else "s"
        node(graph_def, f"m{output}", "Mul", [source, f"c{output}"], T=tf.float32)
    node(graph_def, "y", "Merge", ["m0", "m1", "m2"], T=tf.float32, N=3)
    constant(graph_def, "z", np.float32(1.0))
    node(graph_def, "v", "Add", ["y", "z", "^s"], T=tf.float32)
    assert fetched(graph_def, "v") == 3.0 * branch + 1.0


def test_host_cast():
    graph_def = tf.GraphDef()
    constant(graph_def, "x", np.array([1, 2], np.int32))
    node(graph_def, "y", "_HostCast", ["x"], SrcT=tf.int32, DstT=tf.float32)
    assert fetched(graph_def, "y").tolist() == [1.0, 2.0]


def test_accumulate_n():
    graph_def = tf.GraphDef()
    constant(graph_def, "x", np.array([1.0, 2.0], "f"))
    sum = node(graph_def, "y", "AccumulateNV2", ["x", "x", "x"], T=tf.float32, N=3)
    sum.attr["shape"].shape.dim.add(size=2)
    assert fetched(graph_def, "y").tolist() == [3.0, 6.0]


@pytest.mark.parametrize("rows", [1, 2])
def test_concat_of_updates(rows):
    graph_def = tf.GraphDef()
    node(graph_def, "start", "_ParallelConcatStart", dtype=tf.float32)
    for row in reversed(range(rows)):
        constant(graph_def, f"x{row}", np.full((1, 2), row, "f"))
        inputs = ["start", f"x{row}"]
        node(graph_def, f"u{row}", "_ParallelConcatUpdate", inputs, T=tf.float32, loc=row)
    waits = [f"^u{row}" for row in range(rows)]
    node(graph_def, "y", "Identity", ["start", *waits], T=tf.float32)
    assert fetched(graph_def, "y").tolist() == [[row, row] for row in range(rows)]


def test_function_bodies():
    function = tf.GraphDef().library.function.add()
    x = f"{NAME}/device:CPU:0"
    function.signature.name = "f"
    function.node_def.add(name="y", op="_UnaryOpsComposition", input=["x"], device=x)
    function.node_def[0].attr["op_names"].list.s.extend([b"Sqrt", b"Relu"])
    function.node_def.add(name="z", op="Exp", input=["y:y:0"])
    function.ret["z"] = "y:y:0"
    graph_def = tf.GraphDef()
    graph_def.library.function.extend([function])
    (result,) = expand_rewrites(graph_def)[0].library.function
    nodes = [(node.name, node.op, *node.input) for node in result.node_def]
    first, end = "y/_0_Sqrt", "y:activations:0"
    assert nodes == [(first, "Sqrt", "x"), ("y", "Relu", f"{first}:y:0"), ("z", "Exp", end)]
    assert result.ret["z"] == end


@pytest.mark.parametrize(
    "op, inputs, attrs, problem",
    [
        (
            "_FusedMatMul",
            ["x"],
            {"fused_ops": ["Softmax"]},
            "y: _FusedMatMul does not support Softmax",
        ),
        ("_UnaryOpsComposition", ["x"], {"op_names": ["Nothing"]}, "Nothing"),
        ("_SwitchN", ["x"], {"num_outs": 2}, "not enough values"),
        ("_ParallelConcatUpdate", [], {}, "list index out of range"),
    ],
)
def test_invalid_rewritten_nodes_are_rejected(op, inputs, attrs, problem):
    graph_def = tf.GraphDef()
    node(graph_def, "y", op, inputs, T=tf.float32, **attrs)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"Invalid rewritten node: .*{problem}"
    ):
        expand_rewrites(graph_def)


@pytest.mark.parametrize(
    "op, inputs, attrs, count",
    [
        ("_FusedMatMul", ["a", "b", "c", "^d"], {"fused_ops": ["BiasAdd", "Relu"]}, 3),
        ("_FusedConv2D", ["a", "b", "c", "d", "e", "f"], {"fused_ops": ["FusedBatchNorm"]}, 2),
        ("_UnaryOpsComposition", ["a", "^d"], {"op_names": ["Sqrt", "Neg"]}, 2),
        ("_SwitchN", ["a", "b", "^d"], {"num_outs": 3}, 7),
        ("_SwitchN", ["a", "b"], {"num_outs": 1}, 1),
        ("_HostCast", ["a"], {}, 1),
        ("AccumulateNV2", ["a", "b", "^d"], {"N": 2}, 1),
        ("ParallelConcat", ["a", "b", "^d"], {"N": 2}, 2),
        ("ParallelConcat", ["a"], {"N": 1}, 1),
    ],
)
def test_expanded_nodes_keep_device(op, inputs, attrs, count):
    graph_def = tf.GraphDef()
    graph_def.versions.producer = 134
    one = node(graph_def, "y", op, inputs, T=tf.float32, **attrs)
    one.device = f"{NAME}/device:GPU:1"
    node(graph_def, "z", "NoOp", ["^y"])
    result, stands_for = expand_rewrites(graph_def)
    *made, other = result.node
    assert [each.device for each in made] == [one.device] * count
    assert (other.name, other.device) == ("z", f"{NAME}/device:CPU:0")
    assert result.versions.producer == 134
    assert (made[-1].name, set(stands_for.values())) == ("y", {"y"} if count > 1 else set())
    assert sorted(stands_for) == sorted(each.name for each in made[:-1])


def test_other_graphs_are_unchanged():
    graph_def = proto.GraphDef()
    node(graph_def, "x", "NoOp")
    assert expand_rewrites(graph_def) == (graph_def, {})
