"""MetaGraphDefs equal TensorFlow's; the cases are in tests/train/meta_graph."""

import importlib
import re

import pytest
from google.protobuf import any_pb2

import tfmini as tf
from tests.support import cases, recorded
from tests.support.programs import recording
from tests.train import meta_graph as meta_graphs
from tfmini._src.graph.graphdef.collection_protos import proto_functions


def every_case():
    for module_name in recording.names_in("train/meta_graph"):
        module = importlib.import_module("tests.train.meta_graph." + module_name)
        for name, case in meta_graphs.cases(module):
            yield pytest.param(module_name, name, case, id=f"{module_name}-{name}")


# Part of the name under which a sharded checkpoint is written.
RANDOM = re.compile(b"_temp_[0-9a-f]{32}")


def comparable(message):
    """The message with map entries, also in messages inside collections, and functions
    sorted, and without names that vary between runs.
    """
    for key, collection in message.collection_def.items():
        proto_type = proto_functions(key).proto_type
        if proto_type is not None and collection.WhichOneof("kind") == "bytes_list":
            values = collection.bytes_list.value
            sorted_maps = [
                proto_type.FromString(value).SerializeToString(deterministic=True)
                for value in values
            ]
            values[:] = sorted_maps
    message.graph_def.library.function.sort(key=lambda function: function.signature.name)
    for node in message.graph_def.node:
        if "token" in node.attr:
            node.attr["token"].s = b"pyfunc"
        if node.op != "Const":
            continue
        for number, text in enumerate(node.attr["value"].tensor.string_val):
            node.attr["value"].tensor.string_val[number] = RANDOM.sub(b"_temp_", text)
    return message


def differences(got, expected):
    """The differences between two MetaGraphDefs, as readable lines."""
    nodes = {node.name: node for node in got.graph_def.node}
    for node in expected.graph_def.node:
        if nodes.get(node.name) != node:
            yield recorded.explain(str(nodes.get(node.name)), str(node), f"node {node.name}")
    for key in sorted(set(got.collection_def) | set(expected.collection_def)):
        if got.collection_def[key] != expected.collection_def[key]:
            yield recorded.explain(
                str(got.collection_def[key]), str(expected.collection_def[key]), f"collection {key}"
            )
    for part in ("meta_info_def", "graph_def", "saver_def"):
        if getattr(got, part) != getattr(expected, part):
            yield recorded.explain(str(getattr(got, part)), str(getattr(expected, part)), part)


@cases.in_one_test
@pytest.mark.parametrize(("module", "name", "case"), list(every_case()))
def test_same_message(module, name, case):
    expected = comparable(tf.MetaGraphDef.FromString(meta_graphs.golden(module, name)))
    got = comparable(meta_graphs.made(tf, case))
    found = list(differences(got, expected))
    assert not found, "\n".join(found[:3])
    recorded.same(got, expected)


def test_collection_of_any_messages():
    value = any_pb2.Any(type_url="kind", value=b"abc")
    with tf.Graph().as_default():
        tf.add_to_collection("kept", value)
        meta_graph = tf.train.export_meta_graph()
    assert [v.value for v in meta_graph.collection_def["kept"].any_list.value] == [b"abc"]
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta_graph)
        (found,) = tf.get_collection("kept")
    assert (found.type_url, found.value) == ("kind", b"abc")
