"""Which nodes of a GraphDef are its outputs."""

from tfmini._src.base import proto
from tfmini._src.saved_model.graph_outputs import nodes_without_results, unread_nodes


def graph_of(*nodes):
    return proto.GraphDef(
        node=[proto.NodeDef(name=name, op=op, input=inputs) for name, op, *inputs in nodes]
    )


def test_nodes_that_read_a_variable_are_no_results():
    graph = graph_of(
        ("v", "VariableV2"),
        ("v/read", "Identity", "v"),
        ("x", "Placeholder"),
        ("y", "Mul", "x", "v/read"),
        ("copy", "Identity", "y"),
        ("v/Assign", "Assign", "v", "x"),
    )
    assert nodes_without_results(graph) == {"v/read", "v/Assign"}
    assert unread_nodes(graph) == ["copy", "v/Assign"]


def test_a_damaged_node_without_inputs_is_listed():
    graph = graph_of(("v", "VariableV2"), ("lost", "Identity"), ("gone", "ReadVariableOp"))
    assert unread_nodes(graph) == ["lost", "gone"]
    assert not nodes_without_results(graph)
