"""Detection of a GraphDef's output nodes."""

from tfmini._src.base import proto
from tfmini._src.saved_model.graph_outputs import nodes_without_results, unread_nodes


def graph_of(*nodes):
    return proto.GraphDef(
        node=[proto.NodeDef(name=name, op=op, input=inputs) for name, op, *inputs in nodes]
    )


def test_variable_reads_are_not_outputs():
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


def test_dangling_nodes_are_listed():
    graph = graph_of(("v", "VariableV2"), ("lost", "Identity"), ("gone", "ReadVariableOp"))
    assert unread_nodes(graph) == ["lost", "gone"]
    assert not nodes_without_results(graph)


def test_auxiliary_nodes_are_not_outputs():
    graph = graph_of(
        ("x", "Placeholder"),
        ("given", "PlaceholderWithDefault", "x"),
        ("v", "VarHandleOp"),
        ("v/Read", "ReadVariableOp", "v"),
        ("read", "ReadVariableOp", "x"),
        ("y", "Exp", "x"),
        ("seen", "ScalarSummary", "tag", "y"),
        ("train/gradients/y_grad", "Mul", "y:0", "^x"),
        ("gradients", "Neg", "x"),
        ("train/step", "ApplyGradientDescent", "v", "train/gradients/y_grad"),
        ("save/restore", "RestoreV2"),
        ("save_1/files", "Pack"),
        ("saved/y", "Abs", "x"),
        ("cond/switch_t", "Identity", "x"),
        ("a/cond_2/pred_id", "Identity", "x"),
        ("a/cond_2/switch_n", "Identity", "x"),
        ("add", "AssignAddVariableOp", "v", "x"),
    )
    assert nodes_without_results(graph) == {
        *("v/Read", "seen", "train/gradients/y_grad", "train/step", "save/restore"),
        *("save_1/files", "cond/switch_t", "a/cond_2/pred_id", "add"),
    }
    assert unread_nodes(graph) == [
        *("v/Read", "read", "y", "seen", "gradients", "train/step", "save/restore"),
        *("save_1/files", "saved/y", "cond/switch_t", "a/cond_2/pred_id", "a/cond_2/switch_n"),
    ]


def test_control_only_nodes_are_not_outputs():
    graph = graph_of(
        ("c", "Const"),
        ("done", "NoOp", "^late"),
        ("late", "Exp", "c"),
        ("check", "Assert", "c"),
        ("own", "NobodyKnowsIt", "late:0"),
        ("files", "MergeV2Checkpoints"),
        ("old", "PlaceholderV2"),
    )
    assert unread_nodes(graph) == ["own"]
