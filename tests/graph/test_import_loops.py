"""Loops in an imported GraphDef: the order of their nodes, back edges, static shapes."""

import pytest

import tfmini as tf
from tests.graph.nodes import FLOAT, made_by, node

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


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


# The orders that TensorFlow 1.15.5 made of LOOP and of its reverse.
FORWARD = ["c", "e", "m", "one", "less", "lc", "s", "id", "inc", "add", "n", "x"]
REVERSED = ["c", "e", "m", "one", "less", "lc", "s", "x", "id", "inc", "add", "n"]


@pytest.mark.parametrize("nodes, order", [(LOOP, FORWARD), (LOOP[::-1], REVERSED)])
def test_a_loop(graph, nodes, order):
    made = made_by(graph, *nodes)
    assert [name for name, _, _ in made] == [f"import/{name}" for name in order]
    merge = graph.get_operation_by_name("import/m")
    assert [t.name for t in merge.inputs] == ["import/e:0", "import/n:0"]
    assert graph.get_operation_by_name("import/n").outputs[0].consumers() == [merge]
    assert [str(t.shape) for t in merge.outputs] == ["<unknown>", "()"]
    assert list(merge.node_def.input) == ["import/e", "import/n"]
    assert graph.get_operation_by_name("import/one").control_inputs == [merge]


def test_only_a_merge_may_close_a_loop(graph):
    nodes = [*LOOP[:2], node("m", "Add", "e", "n"), *LOOP[3:]]
    with pytest.raises(ValueError, match="^10 nodes in a cycle$"):
        made_by(graph, *nodes)


def test_a_back_edge_of_another_type(graph):
    ints = FLOAT.replace("FLOAT", "INT32")
    to_int = FLOAT.replace('"T"', '"SrcT"') + ints.replace('"T"', '"DstT"')
    turn = [node("i", "Cast", "add", attrs=to_int), node("n", "NextIteration", "i", attrs=ints)]
    with pytest.raises(ValueError) as caught:
        made_by(graph, *LOOP[:10], *turn)
    assert str(caught.value) == (
        "Input 1 of node import/m was passed int32 from import/n:0 incompatible with expected "
        "float."
    )


def test_a_back_edge_to_an_output_that_is_not_there(graph):
    nodes = [LOOP[0], LOOP[1], LOOP[2].replace('"n"', '"n:1"'), *LOOP[3:]]
    with pytest.raises(ValueError) as caught:
        made_by(graph, *nodes)
    assert str(caught.value) == (
        "Output 1 of node import/n does not exist. Node only has 1 outputs."
    )
    assert graph.get_operations() == []
