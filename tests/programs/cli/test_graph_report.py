"""Complete `inspect` reports of a graph with a node of each kind, as JSON and as text."""

import json

import pytest

import tfmini as tf
from tests.programs.cli.test_inspect import rows
from tfmini._src.base import proto
from tfmini._src.programs.cli.graph_report import describe, list_graph, list_meta_graph
from tfmini._src.programs.cli.reports import as_json, as_text

GRAPH = """
node { name: "old" op: "Placeholder" device: "/cpu:0"
  attr { key: "dtype" value { type: DT_HALF } } attr { key: "shape" value { shape {} } } }
node { name: "second" op: "PlaceholderV2" attr { key: "dtype" value { type: DT_INT64 } }
  attr { key: "shape" value { shape { dim { size: 3 } dim { size: 0 } } } } }
node { name: "wide" op: "PlaceholderWithDefault" input: "c"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } }
  float_val: 1 } } } }
node { name: "v" op: "VariableV2" device: "/gpu:0"
  attr { key: "dtype" value { type: DT_DOUBLE } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 5 } } } }
  attr { key: "container" value { s: "" } } attr { key: "shared_name" value { s: "" } } }
node { name: "h" op: "VarHandleOp" attr { key: "dtype" value { type: DT_UINT8 } }
  attr { key: "shape" value { shape { dim { size: 7 } } } }
  attr { key: "container" value { s: "" } } attr { key: "shared_name" value { s: "h" } } }
node { name: "read" op: "Identity" input: "v" attr { key: "T" value { type: DT_DOUBLE } } }
node { name: "sum" op: "AddV2" input: "wide" input: "c" device: "/cpu:0"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "top" op: "TopKV2" input: "sum" input: "k"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "sorted" value { b: true } } }
node { name: "k" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
node { name: "equal" op: "Equal" input: "sum" input: "sum"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "cast" op: "Cast" input: "c" attr { key: "SrcT" value { type: DT_FLOAT } }
  attr { key: "DstT" value { type: DT_INT8 } } }
node { name: "foreign" op: "NoSuch" input: "c"
  attr { key: "out_type" value { type: DT_INT8 } }
  attr { key: "T" value { type: DT_INT16 } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 4 } } shape { dim { size: 6 } }
  } } } }
node { name: "bare" op: "NoSuch" input: "c" }
node { name: "nothing" op: "NoOp" }
versions { producer: PRODUCER }
"""


def graph_def(producer=21):
    result = tf.GraphDef()
    proto.parse_text(GRAPH.replace("PRODUCER", str(producer)), result)
    return result


def item(name, role, op, dtype, shape, size, device=""):
    return {
        "name": name,
        "role": role,
        "op": op,
        "dtype": dtype,
        "shape": shape,
        "bytes": size,
        "device": device,
    }


def test_complete_json_report():
    """Inputs, outputs, outputs that only read a variable, variables; small constants are left out."""
    graph = graph_def()
    assert json.loads(as_json(list_graph("some/path", graph))) == {
        "kind": "graph",
        "path": "some/path",
        "nodes": 15,
        "functions": [],
        "ops": {
            "AddV2": 1,
            "Cast": 1,
            "Const": 2,
            "Equal": 1,
            "Identity": 1,
            "NoOp": 1,
            "NoSuch": 2,
            "Placeholder": 1,
            "PlaceholderV2": 1,
            "PlaceholderWithDefault": 1,
            "TopKV2": 1,
            "VarHandleOp": 1,
            "VariableV2": 1,
        },
        "missing_ops": ["NoSuch", "PlaceholderV2"],
        "devices": {"": 12, "/cpu:0": 2, "/gpu:0": 1},
        "producer": 21,
        "items": [
            item("old", "input", "Placeholder", "float16", None, None, "/cpu:0"),
            item("second", "input", "PlaceholderV2", "int64", [3, 0], 0),
            item("wide", "input", "PlaceholderWithDefault", "float32", [None], None),
            item("top", "output", "TopKV2", "float32", [1], 4),
            item("equal", "output", "Equal", "bool", [None], None),
            item("cast", "output", "Cast", "int8", [1], 1),
            item("foreign", "output", "NoSuch", "int16", [4], 8),
            item("bare", "output", "NoSuch", None, None, None),
            item("read", "output", "Identity", "float64", [2, 5], 80),
            item("v", "variable", "VariableV2", "float64", [2, 5], 80, "/gpu:0"),
            item("h", "variable", "VarHandleOp", "resource", [7], None),
        ],
    }
    assert graph == graph_def()  # only read


def test_complete_text_report():
    graph = graph_def()
    lines = as_text(list_graph("some/path", graph)).splitlines()
    assert lines == [
        "some/path: graph",
        f"15 nodes, {graph.ByteSize()} bytes",
        "ops that tfmini lacks: NoSuch, PlaceholderV2",
        "",
        "inputs",
        "name    op                      dtype    shape    bytes",
        "old     Placeholder             float16  unknown      -",
        "second  PlaceholderV2           int64    [3, 0]       0",
        "wide    PlaceholderWithDefault  float32  [?]          -",
        "",
        "outputs",
        "name     op        dtype    shape    bytes",
        "top      TopKV2    float32  [1]          4",
        "equal    Equal     bool     [?]          -",
        "cast     Cast      int8     [1]          1",
        "foreign  NoSuch    int16    [4]          8",
        "bare     NoSuch    -        unknown      -",
        "read     Identity  float64  [2, 5]      80",
        "",
        "variables",
        "name  op           dtype     shape   bytes",
        "v     VariableV2   float64   [2, 5]     80",
        "h     VarHandleOp  resource  [7]         -",
        "",
        "ops",
        "op                      nodes  here",
        "Const                       2   yes",
        "NoSuch                      2    no",
        "Placeholder                 1   yes",
        "PlaceholderV2               1    no",
        "PlaceholderWithDefault      1   yes",
        "VariableV2                  1   yes",
        "VarHandleOp                 1   yes",
        "Identity                    1   yes",
        "AddV2                       1   yes",
        "TopKV2                      1   yes",
        "Equal                       1   yes",
        "Cast                        1   yes",
        "NoOp                        1   yes",
        "",
        "devices",
        "device  nodes",
        "(none)     12",
        "/cpu:0      2",
        "/gpu:0      1",
    ]


@pytest.mark.parametrize("producer, shape, size", [(0, None, None), (21, None, None), (22, [], 2)])
def test_old_graph_placeholders_have_unknown_shape(producer, shape, size):
    """Up to producer 21 an empty shape meant an unknown one."""
    items = describe(graph_def(producer))[0]
    assert (items[0]["shape"], items[0]["bytes"]) == (shape, size)
    assert items[1]["shape"] == [3, 0]


@pytest.mark.parametrize("count, is_listed", [(240, False), (300, True)])
def test_single_constant_graph(count, is_listed):
    """It has only the section of ops, and that of constants if it is large."""
    graph = tf.GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = 1
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto([0.5] * (count - 1) + [1.0]))
    items, facts, sections = describe(graph)
    constants = [item("c", "constant", "Const", "float32", [count], 4 * count)]
    assert items == (constants if is_listed else [])
    title = "constants of 1024 bytes and more"
    assert [section.title for section in sections] == [*([title] if is_listed else []), "ops"]
    assert [section.left_out for section in sections] == [0] * len(sections)
    assert facts == {
        "nodes": 1,
        "functions": [],
        "ops": {"Const": 1},
        "missing_ops": [],
        "devices": {"": 1},
        "producer": 0,
    }


def test_constants_of_one_kilobyte_are_listed():
    for size, is_listed in ((1023, False), (1024, True)):
        graph = tf.GraphDef()
        node = graph.node.add(name="c", op="Const")
        tensor = node.attr["value"].tensor
        tensor.dtype = 4  # uint8
        tensor.tensor_content = bytes(size - 5)  # two bytes of the dtype, three before the content
        assert tensor.ByteSize() == size
        assert bool(describe(graph)[0]) == is_listed


def test_meta_graph_report_extends_graph_report():
    meta = tf.MetaGraphDef(graph_def=graph_def())
    meta.meta_info_def.tensorflow_version = "1.4"
    for name, kind in (("w", "node_list"), ("b", "bytes_list"), ("f", "float_list")):
        values = getattr(meta.collection_def[name], kind).value
        values.extend(
            {"node_list": ["x:0"], "bytes_list": [b"", b"b"], "float_list": [1.0] * 3}[kind]
        )
    report = list_meta_graph("m.meta", meta)
    alone = list_graph("m.meta", meta.graph_def)
    assert (report.kind, report.path, report.damage_text) == ("meta_graph", "m.meta", "")
    assert report.items == alone.items
    assert report.lines == [*alone.lines, "written by TensorFlow 1.4"]
    assert report.sections[:-1] == alone.sections
    assert rows(report, "collections") == [
        ("b", "bytes_list", 2),
        ("f", "float_list", 3),
        ("w", "node_list", 1),
    ]
    assert report.facts == {
        **alone.facts,
        "tensorflow_version": "1.4",
        "tags": [],
        "collections": {"b": 2, "f": 3, "w": 1},
    }
