"""import_graph_def and as_graph_def against what TensorFlow 1.15.5 made of the same GraphDefs."""

import numpy as np
import pytest
from google.protobuf import text_format

import tfmini as tf
from tests.graph.nodes import FLOAT, INTS, NO_OP, V, X, Y, graph_def, made_by, node
from tfmini._src.base import proto

SCALAR = 'attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } }'


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def names(made):
    return [name for name, _, _ in made]


def test_nodes_are_made_when_their_inputs_are(graph):
    d, b, c = (node(n, "Identity", s) for n, s in (("d", "c"), ("b", "x"), ("c", "x")))
    made = made_by(graph, d, b, c, X, node("z", "NoOp", attrs=""))
    assert names(made) == ["import/x", "import/b", "import/c", "import/d", "import/z"]
    assert made[3] == ("import/d", ["import/c:0"], [])
    y = graph.get_tensor_by_name("import/d:0")
    assert str(y.shape) == "(2, 3)"


def test_control_inputs(graph):
    made = made_by(graph, X, NO_OP, node("y", "Identity", "x", "^n", "^x", "^n"))
    assert made[2] == ("import/y", ["import/x:0"], ["import/n", "import/x"])


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
    made = made_by(graph, X, Y, name=name)
    assert names(made) == expected
    assert made[1][1] == [expected[0] + ":0"]


def test_new_names_avoid_those_of_the_graph_def(graph):
    tf.no_op(name="x")
    assert names(made_by(graph, X, node("x_1", "NoOp", attrs=""), name="")) == ["x_2", "x_1"]


def test_names_are_taken_afterwards(graph):
    made_by(graph, X, Y, name="")
    with tf.name_scope("scope"):
        assert names(made_by(graph, X)) == ["scope/import/x"]
        assert names(made_by(graph, X, name="in")) == ["scope/in/x"]
        assert names(made_by(graph, X, name="")) == ["x_1"]
    assert tf.no_op(name="x").name == "x_2"
    assert tf.no_op(name="import").name == "import"


def test_input_map(graph):
    mine = tf.placeholder(tf.float32, [2, 3], name="mine")
    for key in ("x", "x:0", b"x"):
        made = made_by(graph, X, Y, input_map={key: mine})
        assert made[1][1] == ["mine:0"]
    assert made_by(graph, Y, input_map={"x": mine}, name="alone")[0][1] == ["mine:0"]
    waiting = node("y", "Identity", "x", "^n")
    assert made_by(graph, X, NO_OP, waiting, input_map={"^n": mine})[2][2] == ["mine"]
    made = made_by(graph, X, Y, input_map={"x": np.ones((2, 3), np.float32)}, name="values")
    assert names(made) == ["values/_inputs/Const", "values/x", "values/y"]
    assert made[2][1] == ["values/_inputs/Const:0"]


def test_return_elements(graph):
    mine = tf.placeholder(tf.float32, [2, 3], name="mine")
    both = graph_def(X, Y)
    tensor, op = tf.import_graph_def(both, return_elements=["y:0", b"y"])
    assert (tensor.name, op.name) == ("import/y:0", "import/y")
    found = tf.import_graph_def(both, {"x": mine}, ["x:0", "x"], name="again")
    assert [element.name for element in found] == ["mine:0", "again/x"]
    assert tf.import_graph_def(both, return_elements=[]) == []
    assert tf.import_graph_def(both) is None


def test_colocation_and_devices(graph):
    with_x = FLOAT + ' attr { key: "_class" value { list { s: "loc:@x" } } }'
    on_gpu = X.replace("attr", 'device: "/gpu:1" attr', 1)
    nodes = (on_gpu, Y, node("z", "Identity", "x", attrs=with_x, device="/cpu:0"))
    with tf.device("/job:a/task:3"):
        made_by(graph, *nodes, name="")
    made_by(graph, *nodes, name="")
    found = [(op.name, op.device, op.colocation_groups()) for op in graph.get_operations()]
    assert found == [
        ("x", "/job:a/task:3/device:GPU:1", [b"loc:@x"]),
        ("y", "/job:a/task:3", [b"loc:@y"]),
        ("z", "/job:a/task:3/device:GPU:1", [b"loc:@x"]),
        ("x_1", "/device:GPU:1", [b"loc:@x_1"]),
        ("y_1", "", [b"loc:@y_1"]),
        ("z_1", "/device:GPU:1", [b"loc:@x_1"]),
    ]


def test_open_scopes(graph):
    first = tf.no_op(name="first")
    constant = tf.constant(1.0, name="constant")
    with tf.control_dependencies([first]):
        made = made_by(graph, X, Y)
    assert [controls for _, _, controls in made] == [["first"], ["first"]]
    with graph.colocate_with(constant.op):
        made = made_by(graph, X, Y, name="with")
    groups = [graph.get_operation_by_name(name).colocation_groups() for name in names(made)]
    assert groups == [[b"loc:@constant"]] * 2


def test_inside_a_condition(graph):
    p = tf.placeholder(tf.bool, [], name="p")
    m = tf.placeholder(tf.float32, [2, 3], name="m")

    def true():
        inner = graph_def(X, Y, node("z", "NoOp", attrs=""))
        return tf.import_graph_def(inner, {"x": m}, ["y:0"], name="inner")[0]

    tf.cond(p, true, lambda: m)
    found = [(op.name, [t.name for t in op.inputs]) for op in graph.get_operations()[6:]]
    assert found == [
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
    found = graph.get_operation_by_name("l/l").outputs
    assert [(t.dtype.name, str(t.shape)) for t in found] == [
        ("float32", "(2, 3)"),
        ("int32", "<unknown>"),
    ]


def with_shapes(*shapes):
    listed = " ".join(
        "shape { " + " ".join(f"dim {{ size: {d} }}" for d in dims) + " }" for dims in shapes
    )
    return f'attr {{ key: "_output_shapes" value {{ list {{ {listed} }} }} }}'


def test_output_shapes_narrow(graph):
    int32 = 'attr { key: "T" value { type: DT_INT32 } }'
    made_by(graph, INTS, node("y", "Identity", "i", attrs=int32 + with_shapes([4])))
    y = graph.get_operation_by_name("import/y")
    assert str(y.outputs[0].shape) == "(4,)"
    assert "_output_shapes" not in y.node_def.attr
    part = X.replace("size: 2", "size: -1")[:-1] + with_shapes([7, -1]) + "}"
    made_by(graph, part, name="part")
    assert str(graph.get_tensor_by_name("part/x:0").shape) == "(7, 3)"


def test_output_shapes_that_contradict(graph):
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


def test_defaults_are_filled_in_for_the_caller_too(graph):
    message = graph_def(X, node("m", "MatMul", "x", "x", attrs=FLOAT + BOTH))
    tf.import_graph_def(message)
    for found in (message.node[1], graph.as_graph_def().node[1]):
        assert {key: value.b for key, value in found.attr.items() if key != "T"} == {
            "transpose_a": False,
            "transpose_b": True,
        }


BOTH = 'attr { key: "transpose_b" value { b: true } }'


@pytest.mark.parametrize("producer, shape", [(21, "<unknown>"), (22, "()")])
def test_old_placeholders_of_no_dimensions_may_have_any(graph, producer, shape):
    message = graph_def(node("p", "Placeholder", attrs=SCALAR))
    message.versions.producer = producer
    (p,) = tf.import_graph_def(message, return_elements=["p:0"])
    assert str(p.shape) == shape


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


def test_undeclared_attrs_are_kept(graph):
    kept = (
        'attr { key: "_a" value { list { i: 1 i: 2 } } } attr { key: "_b" value { s: "\\377" } }'
        'attr { key: "_c" value { shape { dim { size: -1 } } } }'
        'attr { key: "_d" value { func { name: "f" attr { key: "k" value { f: 0.5 } } } } }'
        'attr { key: "_e" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 3 } } }'
        'attr { key: "_f" value { list { } } }'
    )
    message = graph_def(X, node("y", "Identity", "x", attrs=FLOAT + kept))
    tf.import_graph_def(message, name="")
    assert graph.as_graph_def().node[1] == message.node[1]


def test_functions_are_carried_along(graph):
    message = graph_def(X)
    message.library.function.add().signature.name = "f"
    tf.import_graph_def(message)
    tf.import_graph_def(message)
    assert graph.as_graph_def().library == message.library
    message.library.function[0].signature.summary = "another"
    with pytest.raises(ValueError, match="^Cannot add function 'f' because a different function"):
        tf.import_graph_def(message)


def test_a_finalized_graph(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        made_by(graph, X)
    assert graph.get_operations() == []


def test_there_and_back(graph):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.matmul(x, tf.constant(np.ones((3, 2), np.float32)), name="y")
    tf.identity(y, name="z")
    once = graph.as_graph_def()
    with tf.Graph().as_default() as copy:
        tf.import_graph_def(once, name="")
        assert copy.as_graph_def() == once


def test_control_inputs_are_sorted_in_graph_defs_only(graph):
    first, second = tf.no_op(name="b"), tf.no_op(name="a")
    with tf.control_dependencies([first, second]):
        op = tf.no_op(name="c")
    assert list(op.node_def.input) == ["^b", "^a"]
    assert list(graph.as_graph_def().node[2].input) == ["^a", "^b"]
    assert len(graph.as_graph_def(from_version=2).node) == 3


def test_add_shapes(graph):
    tf.placeholder(tf.float32, [None, 3], name="x")
    tf.no_op(name="n")
    x, n = graph.as_graph_def(add_shapes=True).node
    (shape,) = x.attr["_output_shapes"].list.shape
    assert [dim.size for dim in shape.dim] == [-1, 3]
    assert "_output_shapes" not in n.attr
    assert "_output_shapes" not in graph.as_graph_def().node[0].attr


def test_what_an_input_map_replaces_is_written_as_tensorflow_writes_it():
    """In a binary graph as well: a name with ":0" would be another one."""
    message = tf.GraphDef()
    message.node.add(name="p", op="Placeholder").attr["dtype"].type = 1
    message.node.add(name="q", op="AddV2", input=["p", "p"]).attr["T"].type = 1
    message.node.add(name="r", op="Neg", input=["q"]).attr["T"].type = 1
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, input_map={"p:0": tf.constant(2.0, name="z")}, name="i")
    rows = {node.name: list(node.input) for node in graph.as_graph_def().node}
    assert rows == {"z": [], "i/p": [], "i/q": ["z", "z"], "i/r": ["i/q"]}


def test_ops_that_later_graphs_cannot_have(graph):
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
