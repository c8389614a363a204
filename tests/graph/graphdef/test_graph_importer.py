"""Errors of import_graph_def, with TensorFlow 1.15.5's texts."""

import pytest

import tfmini as tf
from tests.graph.nodes import FLOAT, INTS, NO_OP, X, Y, graph_def, made_by, node
from tfmini import errors

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


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


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
    ],
)
def test_invalid_graph_defs(graph, nodes, text):
    with pytest.raises(ValueError) as caught:
        made_by(graph, *nodes)
    assert str(caught.value) == text
    assert graph.get_operations() == []


def test_unknown_op(graph):
    with pytest.raises(errors.NotFoundError, match="^Op type not registered 'Foo' in binary"):
        made_by(graph, X, node("y", "Foo", "x"))
    assert graph.get_operations() == []


@pytest.mark.parametrize("count", [1 << 25, (1 << 31) - 1])
@pytest.mark.parametrize(
    "op, attr", [("AddN", "N"), ("ShapeN", "N"), ("Unpack", "num"), ("Split", "num_split")]
)
def test_too_many_inputs_or_outputs(op, attr, count):
    """A large number takes ten bytes in a file; nothing of that size is allocated."""
    graph_def = tf.GraphDef()
    for name, dtype in (("i", tf.int32), ("x", tf.float32)):
        source = graph_def.node.add(name=name, op="Placeholder")
        source.attr["dtype"].type = dtype.as_datatype_enum
    node = graph_def.node.add(name="n", op=op, input=["i", "x"] if op == "Split" else ["x"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    node.attr[attr].i = count
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match=f"{count} (in|out)puts .*node import/n"):
            tf.import_graph_def(graph_def)


def test_constant_dtype_mismatch():
    """Reading the constant at construction would return numbers for strings."""
    graph_def = tf.GraphDef()
    node = graph_def.node.add(name="c", op="Const")
    node.attr["dtype"].type = tf.string.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1.0))
    text = r"Type mismatch between value \(float\) and dtype \(string\)"
    with tf.Graph().as_default(), pytest.raises(ValueError, match=text):
        tf.import_graph_def(graph_def)


@pytest.mark.parametrize("count", [2**40, 2**31])
def test_list_length_beyond_int32(count):
    number = f'attr {{ key: "N" value {{ i: {count} }} }}'
    with pytest.raises(ValueError) as caught:
        tf.import_graph_def(graph_def(X, node("y", "AddN", "x", attrs=FLOAT + number)))
    assert str(caught.value) == f"Attr N has value {count} out of range for an int32"
    with pytest.raises(ValueError, match=f"Attr num_split has value {count} out of range"):
        tf.raw_ops.Split(axis=tf.zeros([], tf.int32), value=tf.zeros([2]), num_split=count)


def test_outputs_beyond_memory():
    with pytest.raises(
        ValueError, match="Attr num_split has value 2147483647, but a node has at most"
    ):
        tf.raw_ops.Split(axis=tf.zeros([], tf.int32), value=tf.zeros([2]), num_split=2**31 - 1)


SCALAR = (
    'attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor '
    "{ dtype: DT_FLOAT tensor_shape { } float_val: 1 } } }"
)

LOOP = [
    node("c", "Const", attrs=SCALAR),
    node("e", "Enter", "c", attrs=FLOAT + 'attr { key: "frame_name" value { s: "f" } }'),
    node("m", "Merge", "e", "n", attrs=FLOAT + 'attr { key: "N" value { i: 2 } }'),
    node("one", "Const", "^m", attrs=SCALAR),
    node("less", "Less", "m", "one"),
    node("lc", "LoopCond", "less", attrs=""),
    node("s", "Switch", "m", "lc"),
    node("id", "Identity", "s:1"),
    node("inc", "Const", "^id", attrs=SCALAR),
    node("add", "Add", "id", "inc"),
    node("n", "NextIteration", "add"),
    node("x", "Exit", "s"),
]

# TensorFlow 1.15.5's orders for LOOP and its reverse.
FORWARD = ["c", "e", "m", "one", "less", "lc", "s", "id", "inc", "add", "n", "x"]

REVERSED = ["c", "e", "m", "one", "less", "lc", "s", "x", "id", "inc", "add", "n"]


@pytest.mark.parametrize("nodes, order", [(LOOP, FORWARD), (LOOP[::-1], REVERSED)])
def test_imported_loop(graph, nodes, order):
    result = made_by(graph, *nodes)
    assert [name for name, _, _ in result] == [f"import/{name}" for name in order]
    merge = graph.get_operation_by_name("import/m")
    assert [t.name for t in merge.inputs] == ["import/e:0", "import/n:0"]
    assert graph.get_operation_by_name("import/n").outputs[0].consumers() == [merge]
    assert [str(t.shape) for t in merge.outputs] == ["<unknown>", "()"]
    assert list(merge.node_def.input) == ["import/e", "import/n"]
    assert graph.get_operation_by_name("import/one").control_inputs == [merge]


def test_only_merge_may_close_loop(graph):
    nodes = [*LOOP[:2], node("m", "Add", "e", "n"), *LOOP[3:]]
    with pytest.raises(ValueError, match="^10 nodes in a cycle$"):
        made_by(graph, *nodes)


def test_back_edge_type_mismatch(graph):
    ints = FLOAT.replace("FLOAT", "INT32")
    to_int = FLOAT.replace('"T"', '"SrcT"') + ints.replace('"T"', '"DstT"')
    turn = [node("i", "Cast", "add", attrs=to_int), node("n", "NextIteration", "i", attrs=ints)]
    with pytest.raises(ValueError) as caught:
        made_by(graph, *LOOP[:10], *turn)
    assert str(caught.value) == (
        "Input 1 of node import/m was passed int32 from import/n:0 incompatible with expected "
        "float."
    )


def test_back_edge_to_missing_output(graph):
    nodes = [LOOP[0], LOOP[1], LOOP[2].replace('"n"', '"n:1"'), *LOOP[3:]]
    with pytest.raises(ValueError) as caught:
        made_by(graph, *nodes)
    assert str(caught.value) == (
        "Output 1 of node import/n does not exist. Node only has 1 outputs."
    )
    assert graph.get_operations() == []


def node_def(op):
    with tf.Graph().as_default() as graph:
        if op == "Placeholder":
            tf.placeholder(tf.float32, [2], name="n")
        else:
            tf.constant([1.0, 2.0], name="n")
        return graph.as_graph_def()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("_output_shapes", {"b": True}),
        ("_output_shapes", {"list": {"i": [1, 2]}}),
        ("_class", {"s": b"loc:@n"}),
        ("_class", {}),
        ("_class", {"list": {}}),
        ("_own", {"f": 1.0}),
    ],
)
def test_ignored_attrs(key, value):
    graph_def = node_def("Placeholder")
    graph_def.node[0].attr[key].CopyFrom(tf.AttrValue(**value))
    with tf.Graph().as_default():
        (result,) = tf.import_graph_def(graph_def, return_elements=["n:0"], name="")
        assert result.shape.as_list() == [2]
        assert result.op.colocation_groups() == [b"loc:@n"]


def test_first_colocated_node_with_device_decides():
    definition = tf.GraphDef()
    for name, device in (("a", ""), ("b", "/cpu:1"), ("c", "/cpu:2"), ("n", "")):
        node = definition.node.add(name=name, op="NoOp", device=device)
    node.attr["_class"].list.s.extend([b"loc:@a", b"loc:@b", b"loc:@c"])
    with tf.Graph().as_default():
        (op,) = tf.import_graph_def(definition, return_elements=["n"], name="")
        assert op.device == "/device:CPU:1"
