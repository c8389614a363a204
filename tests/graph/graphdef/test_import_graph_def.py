"""import_graph_def and as_graph_def against TensorFlow 1.15.5's results for the same GraphDefs."""

import pytest
from google.protobuf import text_format

import tfmini as tf
from tests.graph.nodes import FLOAT, INTS, V, X, Y, graph_def, made_by, node
from tfmini._src.base import proto


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


def names(made):
    return [name for name, _, _ in made]


@pytest.mark.parametrize(
    "existing, name, expected",
    [
        ([], None, ["import/x", "import/y"]),
        ([], "", ["x", "y"]),
        ([], "foo", ["foo/x", "foo/y"]),
        (["foo"], "foo", ["foo_1/x", "foo_1/y"]),
        (["foo"], "foo/", ["foo/x", "foo/y"]),
        (["x"], "", ["x_1", "y"]),
        (["x", "x_1", "y/z"], "", ["x_2", "y_1"]),
        (["X"], "", ["x", "y"]),
        (["foo/x", "foo/y"], "foo/", ["foo/x_1", "foo/y_1"]),
    ],
)
def test_names(graph, existing, name, expected):
    for taken in existing:
        tf.no_op(name=taken)
    result = made_by(graph, X, Y, name=name)
    assert names(result) == expected
    assert result[1][1] == [expected[0] + ":0"]


def test_unique_names_avoid_imported_names(graph):
    tf.no_op(name="x")
    assert names(made_by(graph, X, node("x_1", "NoOp", attrs=""), name="")) == ["x_2", "x_1"]


def test_imported_names_are_reserved(graph):
    made_by(graph, X, Y, name="")
    with tf.name_scope("scope"):
        assert names(made_by(graph, X)) == ["scope/import/x"]
        assert names(made_by(graph, X, name="in")) == ["scope/in/x"]
        assert names(made_by(graph, X, name="")) == ["x_1"]
    assert tf.no_op(name="x").name == "x_2"
    assert tf.no_op(name="import").name == "import"


def test_colocation_and_devices(graph):
    with_x = FLOAT + ' attr { key: "_class" value { list { s: "loc:@x" } } }'
    on_gpu = X.replace("attr", 'device: "/gpu:1" attr', 1)
    nodes = (on_gpu, Y, node("z", "Identity", "x", attrs=with_x, device="/cpu:0"))
    with tf.device("/job:a/task:3"):
        made_by(graph, *nodes, name="")
    made_by(graph, *nodes, name="")
    result = [(op.name, op.device, op.colocation_groups()) for op in graph.get_operations()]
    assert result == [
        ("x", "/job:a/task:3/device:GPU:1", [b"loc:@x"]),
        ("y", "/job:a/task:3", [b"loc:@y"]),
        ("z", "/job:a/task:3/device:GPU:1", [b"loc:@x"]),
        ("x_1", "/device:GPU:1", [b"loc:@x_1"]),
        ("y_1", "", [b"loc:@y_1"]),
        ("z_1", "/device:GPU:1", [b"loc:@x_1"]),
    ]


def test_import_inside_cond(graph):
    p = tf.placeholder(tf.bool, [], name="p")
    m = tf.placeholder(tf.float32, [2, 3], name="m")

    def true():
        inner = graph_def(X, Y, node("z", "NoOp", attrs=""))
        return tf.import_graph_def(inner, {"x": m}, ["y:0"], name="inner")[0]

    tf.cond(p, true, lambda: m)
    result = [(op.name, [t.name for t in op.inputs]) for op in graph.get_operations()[6:]]
    assert result == [
        ("cond/inner/x", []),
        ("cond/inner/y", ["cond/Switch_1:1"]),
        ("cond/inner/z", []),
        ("cond/Switch_1", ["m:0", "cond/pred_id:0"]),
        ("cond/Switch_2", ["m:0", "cond/pred_id:0"]),
        ("cond/Merge", ["cond/Switch_2:0", "cond/inner/y:0"]),
    ]


def test_ref_inputs_and_lists(graph):
    assign = node("a", "Assign", "v", "x")
    made_by(graph, X, V, assign, name="")
    op = graph.get_operation_by_name("a")
    assert [t.dtype.name for t in op.inputs] == ["float32_ref", "float32"]
    assert op.get_attr("validate_shape") is True
    two = 'attr { key: "T" value { list { type: DT_FLOAT type: DT_INT32 } } }'
    made_by(graph, X, INTS, node("l", "IdentityN", "x", "i", attrs=two), name="l")
    result = graph.get_operation_by_name("l/l").outputs
    assert [(t.dtype.name, str(t.shape)) for t in result] == [
        ("float32", "(2, 3)"),
        ("int32", "<unknown>"),
    ]


def with_shapes(*shapes):
    listed = " ".join(
        "shape { " + " ".join(f"dim {{ size: {d} }}" for d in dims) + " }" for dims in shapes
    )
    return f'attr {{ key: "_output_shapes" value {{ list {{ {listed} }} }} }}'


def test_contradictory_output_shapes_are_rejected(graph):
    wrong = node("y", "Identity", "x", attrs=FLOAT + with_shapes([2, 5]))
    with pytest.raises(ValueError) as caught:
        made_by(graph, X, wrong)
    assert str(caught.value) == (
        "Node 'import/y' has an _output_shapes attribute inconsistent with the GraphDef for output "
        "#0: Dimension 1 in both shapes must be equal, but are 3 and 5. "
        "Shapes are [2,3] and [2,5]."
    )
    old = graph_def(X, wrong)
    old.versions.producer = 20
    (y,) = tf.import_graph_def(old, return_elements=["y:0"])
    assert str(y.shape) == "(2, 3)"


def test_versions(graph):
    assert graph.graph_def_versions.producer == 134
    message = graph_def(X)
    message.versions.min_consumer = 5
    message.versions.bad_consumers.append(3)
    tf.import_graph_def(message)
    message.versions.producer = 20
    tf.import_graph_def(message)
    tf.import_graph_def(graph_def(X))
    expected = proto.VersionDef(producer=20, min_consumer=5, bad_consumers=[3])
    assert graph.as_graph_def().versions == expected
    message.versions.min_consumer = 9999
    with pytest.raises(ValueError) as caught:
        tf.import_graph_def(message)
    assert str(caught.value) == (
        "GraphDef min consumer version 9999 above current version 134 for TensorFlow 1.15.5.  "
        "Please upgrade TensorFlow."
    )
    message.versions.min_consumer = 0
    message.versions.bad_consumers.append(134)
    with pytest.raises(ValueError) as caught:
        tf.import_graph_def(message)
    assert str(caught.value) == (
        "GraphDef disallows consumer version 134.  Please upgrade TensorFlow: this version is "
        "likely buggy."
    )
    message.versions.producer = -1
    with pytest.raises(ValueError) as caught:
        tf.import_graph_def(message)
    assert str(caught.value) == (
        "GraphDef producer version -1 below min producer 0 supported by TensorFlow 1.15.5.  Please "
        "regenerate your graph."
    )


def test_defaults_are_added_to_caller_message(graph):
    message = graph_def(X, node("m", "MatMul", "x", "x", attrs=FLOAT + BOTH))
    tf.import_graph_def(message)
    for found in (message.node[1], graph.as_graph_def().node[1]):
        assert {key: value.b for key, value in found.attr.items() if key != "T"} == {
            "transpose_a": False,
            "transpose_b": True,
        }


BOTH = 'attr { key: "transpose_b" value { b: true } }'


def test_attrs_of_newer_producers(graph):
    newer = text_format.Parse(
        'op { name: "Identity" attr { name: "foo" type: "int" default_value { i: 1 } } }',
        proto.OpList(),
    )
    y = node("y", "Identity", "x", attrs=FLOAT + 'attr { key: "foo" value { i: 1 } }')
    made_by(graph, X, y, producer_op_list=newer)
    assert "foo" not in graph.get_operation_by_name("import/y").node_def.attr
    with pytest.raises(ValueError, match="NodeDef mentions attr 'foo' not in"):
        made_by(graph, X, y.replace("i: 1", "i: 2"), producer_op_list=newer)


def test_finalized_graph_rejects_import(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        made_by(graph, X)
    assert graph.get_operations() == []


def test_only_graph_def_sorts_control_inputs(graph):
    first, second = tf.no_op(name="b"), tf.no_op(name="a")
    with tf.control_dependencies([first, second]):
        op = tf.no_op(name="c")
    assert list(op.node_def.input) == ["^b", "^a"]
    assert list(graph.as_graph_def().node[2].input) == ["^a", "^b"]
    assert len(graph.as_graph_def(from_version=2).node) == 3


def test_removed_ops_depend_on_producer_version(graph):
    message = graph_def(
        'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }'
    )
    node = message.node.add(name="y", op="BatchMatrixDiag", input=["x"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    message.versions.producer = 14
    with pytest.raises(tf.errors.UnimplementedError) as caught:
        tf.import_graph_def(message)
    assert caught.value.message == (
        "Op BatchMatrixDiag is not available in GraphDef version 14. It has been removed in version 14. "
        "Use MatrixDiag."
    )
    assert not graph.get_operations()
    node.op = "AdjustContrast"
    node.input.extend(["x"] * 3)
    message.versions.producer = 2
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"version 2. Use AdjustContrastv2 instead\.$"
    ):
        tf.import_graph_def(message)
    message.versions.producer = 1
    (y,) = tf.import_graph_def(message, return_elements=["y:0"])
    assert y.op.type == "AdjustContrast"
