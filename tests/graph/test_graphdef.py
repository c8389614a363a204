"""import_graph_def and as_graph_def against what TensorFlow 1.15.5 made of the same GraphDefs."""

import numpy as np
import pytest
from google.protobuf import text_format

import tfmini as tf
from tfmini import errors, proto

X = """node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }"""
INTS = """node { name: "i" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
    attr { key: "shape" value { shape { unknown_rank: true } } } }"""
V = """node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }"""
FLOAT = 'attr { key: "T" value { type: DT_FLOAT } }'
NO_OP = 'node { name: "n" op: "NoOp" }'
IDENTITY_OP = "Op<name=Identity; signature=input:T -> output:T; attr=T:type>"
MATMUL_OP = (
    "Op<name=MatMul; signature=a:T, b:T -> product:T; attr=transpose_a:bool,default=false; "
    "attr=transpose_b:bool,default=false; attr=T:type,allowed=[DT_BFLOAT16, DT_HALF, DT_FLOAT, "
    "DT_DOUBLE, DT_INT32, DT_INT64, DT_COMPLEX64, DT_COMPLEX128]>"
)
ADDN_OP = (
    "Op<name=AddN; signature=inputs:N*T -> sum:T; attr=N:int,min=1; attr=T:type,allowed=[DT_FLOAT, "
    "DT_DOUBLE, DT_INT32, DT_UINT8, DT_INT16, ..., DT_COMPLEX128, DT_HALF, DT_UINT32, DT_UINT64, "
    "DT_VARIANT]; is_commutative=true; is_aggregate=true>"
)
IDENTITYN_OP = "Op<name=IdentityN; signature=input: -> output:; attr=T:list(type),min=1>"


def node(name, op, *inputs, attrs=FLOAT, device=""):
    listed = " ".join(f'input: "{text}"' for text in inputs)
    return f'node {{ name: "{name}" op: "{op}" device: "{device}" {listed} {attrs} }}'


Y = node("y", "Identity", "x")


def graph_def(*nodes):
    message = text_format.Parse("\n".join(nodes), proto.GraphDef())
    message.versions.producer = 134
    return message


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def made_by(graph, *nodes, **kwargs):
    """What an import adds: (name, inputs, control inputs) of each operation, in order."""
    before = len(graph.get_operations())
    tf.import_graph_def(graph_def(*nodes), **kwargs)
    return [
        (op.name, [t.name for t in op.inputs], [c.name for c in op.control_inputs])
        for op in graph.get_operations()[before:]
    ]


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


@pytest.mark.parametrize(
    "nodes, text",
    [
        ([Y], "Node 'y': Unknown input node 'x'"),
        ([X, node("y", "Identity", "q:1")], "Node 'y': Unknown input node 'q:1'"),
        ([X, node("y", "Identity", "x", "^n")], "Node 'y': Unknown input node '^n'"),
        ([X, node("y", "Identity", "x", "^x:0")], "Node 'y': Unknown input node '^x:0'"),
        (
            [X, node("y", "Identity", "x:1")],
            "Node 'y': Connecting to invalid output 1 of source node x which has 1 outputs.",
        ),
        ([X, X], "Node 'x' is not unique"),
        (
            [node("x y", "NoOp", attrs="")],
            "Node 'x y': Node name contains invalid characters",
        ),
        ([node("_x", "NoOp", attrs="")], "Node '_x': Node name contains invalid characters"),
        ([node("", "NoOp", attrs="")], "Node '': Node name contains invalid characters"),
        ([node("x", "", attrs="")], "Node 'x' does not specify an operation"),
        (
            [X, NO_OP, node("y", "Identity", "^n", "x")],
            "Node 'y': Control dependencies must come after regular dependencies",
        ),
        (
            [INTS, node("y", "Identity", "i")],
            "Input 0 of node import/y was passed int32 from import/i:0 incompatible with expected "
            "float.",
        ),
        (
            [X, node("a", "Assign", "x", "x")],
            "Input 0 of node import/a was passed float from import/x:0 incompatible with expected "
            "float_ref.",
        ),
        (
            [X, node("y", "Identity", "x", attrs="")],
            f"NodeDef missing attr 'T' from {IDENTITY_OP}; NodeDef: {{{{node import/y}}}}",
        ),
        (
            [node("x", "Placeholder", attrs="")],
            "NodeDef missing attr 'dtype' from Op<name=Placeholder; signature= -> output:dtype; "
            "attr=dtype:type; attr=shape:shape,default=<unknown>>; NodeDef: {{node import/x}}",
        ),
        (
            [X, node("y", "Identity", "x", attrs=FLOAT + 'attr { key: "foo" value { i: 1 } }')],
            f"NodeDef mentions attr 'foo' not in {IDENTITY_OP}; NodeDef: {{{{node import/y}}}}. "
            "(Check whether your GraphDef-interpreting binary is up to date with your "
            "GraphDef-generating binary.).",
        ),
        (
            [X, node("y", "Identity", "x", attrs='attr { key: "T" value { i: 1 } }')],
            "AttrValue had value with type 'int' when 'type' expected\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "Identity", "x", attrs='attr { key: "T" value { list { i: 1 } } }')],
            "AttrValue had value with type 'list(int)' when 'type' expected\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "Identity", "x", attrs='attr { key: "T" value { } }')],
            "AttrValue missing value with expected type 'type'\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "Identity", "x", attrs=FLOAT.replace("FLOAT", "FLOAT_REF"))],
            "AttrValue must not have reference type value of float_ref\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "Identity", "x", attrs=FLOAT.replace("DT_FLOAT", "999"))],
            "AttrValue has invalid DataType enum: 999\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "Identity", "x", attrs=FLOAT.replace("DT_FLOAT", "DT_INVALID"))],
            "AttrValue has invalid DataType\n\t for attr 'T'\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {IDENTITY_OP}",
        ),
        (
            [X, node("y", "MatMul", "x", "x", attrs=FLOAT.replace("FLOAT", "STRING"))],
            "Value for attr 'T' of string is not in the list of allowed values: bfloat16, half, "
            "float, double, int32, int64, complex64, complex128\n\t; "
            f"NodeDef: {{{{node import/y}}}}; {MATMUL_OP}",
        ),
        (
            [node("a", "AddN", attrs=FLOAT + 'attr { key: "N" value { i: 0 } }')],
            "Value for attr 'N' of 0 must be at least minimum 1\n\t; "
            f"NodeDef: {{{{node import/a}}}}; {ADDN_OP}",
        ),
        (
            [node("a", "IdentityN", attrs='attr { key: "T" value { list { } } }')],
            "Length for attr 'T' of 0 must be at least minimum 1\n\t; "
            f"NodeDef: {{{{node import/a}}}}; {IDENTITYN_OP}",
        ),
        (
            [X, node("y", "Identity", "x", "x")],
            f"NodeDef expected inputs 'float' do not match 2 inputs specified; {IDENTITY_OP}; "
            "NodeDef: {{node import/y}}",
        ),
        (
            [X, node("y", "MatMul", "x")],
            f"NodeDef expected inputs 'float, float' do not match 1 inputs specified; {MATMUL_OP}; "
            "NodeDef: {{node import/y}}",
        ),
        (
            [X, node("y", "MatMul", "x", "x")],
            "Dimensions must be equal, but are 3 and 2 for 'import/y' (op: 'MatMul') with input "
            "shapes: [2,3], [2,3].",
        ),
        ([node("a", "Identity", "b"), node("b", "Identity", "a")], "2 nodes in a cycle"),
        ([node("a", "NoOp", "^a", attrs="")], "1 nodes in a cycle"),
        (
            [
                X,
                node(
                    "y",
                    "Identity",
                    "x",
                    attrs=FLOAT + 'attr { key: "_class" value { list { s: "loc:@q" } } }',
                ),
            ],
            "Node 'y' expects to be colocated with unknown node 'q'",
        ),
    ],
)
def test_graph_defs_that_are_refused(graph, nodes, text):
    with pytest.raises(ValueError) as caught:
        made_by(graph, *nodes)
    assert str(caught.value) == text
    assert graph.get_operations() == []


def test_an_op_that_is_not_there(graph):
    with pytest.raises(errors.NotFoundError, match="^Op type not registered 'Foo' in binary"):
        made_by(graph, X, node("y", "Foo", "x"))
    assert graph.get_operations() == []


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda m: {"graph_def": 5}, TypeError, "graph_def must be a GraphDef proto."),
        (
            lambda m: {"graph_def": proto.NodeDef()},
            TypeError,
            "graph_def must be a GraphDef proto.",
        ),
        (
            lambda m: {"input_map": [1]},
            TypeError,
            "input_map must be a dictionary mapping strings to Tensor objects.",
        ),
        (
            lambda m: {"input_map": {1: m}},
            TypeError,
            "input_map must be a dictionary mapping strings to Tensor objects.",
        ),
        (
            lambda m: {"input_map": {"x": 1.0}, "name": ""},
            ValueError,
            "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor "
            "values. Try calling tf.convert_to_tensor() on `input_map` values before calling "
            "tf.import_graph_def().",
        ),
        (
            lambda m: {"input_map": dict.fromkeys(("q", "x:1", "^n", "y"), m)},
            ValueError,
            "Attempted to map inputs that were not found in graph_def: [^n, q:0, x:1]",
        ),
        (
            lambda m: {"input_map": {"x:a": m}},
            ValueError,
            "Cannot convert 'x:a' to a tensor name.",
        ),
        (
            lambda m: {"input_map": {"x:0:1": m}},
            ValueError,
            "Cannot convert 'x:0:1' to a tensor name.",
        ),
        (
            lambda m: {"return_elements": [1]},
            TypeError,
            "return_elements must be a list of strings.",
        ),
        (
            lambda m: {"return_elements": ["q"]},
            ValueError,
            "Requested return node 'q' not found in graph def",
        ),
        (
            lambda m: {"return_elements": ["q:0"]},
            ValueError,
            "Requested return tensor 'q:0' not found in graph def",
        ),
        (
            lambda m: {"return_elements": ["y:3"]},
            ValueError,
            "Invalid return output 3 of node 'y', which has 1 output(s)",
        ),
        (
            lambda m: {"return_elements": ["y:a"]},
            ValueError,
            "Cannot convert 'y:a' to a tensor name.",
        ),
        (lambda m: {"name": "fo o"}, ValueError, "'fo o' is not a valid scope name"),
    ],
)
def test_arguments_that_are_refused(make, error, text):
    mine = tf.placeholder(tf.float32, [2, 3], name="mine")
    with pytest.raises(error) as caught:
        tf.import_graph_def(**{"graph_def": graph_def(X, Y), **make(mine)})
    assert str(caught.value) == text


def test_an_input_of_another_type():
    mine = tf.placeholder(tf.int32, [2, 3], name="mine")
    with pytest.raises(ValueError) as caught:
        tf.import_graph_def(graph_def(X, Y), {"x": mine})
    assert str(caught.value) == (
        "Input 0 of node import/y was passed int32 from mine:0 incompatible with expected float."
    )


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


def test_defaults_are_filled_in_for_the_caller_too(graph):
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
