"""Graphs and meta graphs in files: written atomically, and log messages."""

import os

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.train.meta_graph import write_graph


def test_text_and_binary_graphs_are_equal(tmp_path):
    tf.Variable([0.1, 1e-30, float("nan"), -0.0], name="v")
    graph = tf.get_default_graph()
    text = tf.train.write_graph(graph, str(tmp_path / "a" / "b"), "graph.pbtxt")
    data = tf.io.write_graph(graph.as_graph_def(), str(tmp_path), "graph.pb", as_text=False)
    assert text == str(tmp_path / "a" / "b" / "graph.pbtxt")
    read = [write_graph.read_message(path, proto.GraphDef) for path in (text, data)]
    # NaN equals nothing, so the bytes are compared.
    expected = graph.as_graph_def().SerializeToString(deterministic=True)
    assert [message.SerializeToString(deterministic=True) for message in read] == [expected] * 2


def test_failed_write_keeps_old_file(tmp_path, monkeypatch):
    path = tf.train.write_graph(tf.GraphDef(), str(tmp_path), "graph.pbtxt")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    tf.no_op()
    with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left on device"):
        tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "graph.pbtxt")
    assert os.listdir(tmp_path) == ["graph.pbtxt"]
    assert write_graph.read_message(path, proto.GraphDef) == tf.GraphDef()


def test_text_meta_graph_is_parsed(tmp_path):
    tf.Variable(1.0, name="v")
    path = str(tmp_path / "model.meta")
    message = tf.train.export_meta_graph(path, as_text=True)
    assert write_graph.read_message(path, proto.MetaGraphDef) == message
    with tf.Graph().as_default():
        assert isinstance(tf.train.import_meta_graph(path), tf.train.Saver)
        assert [v.name for v in tf.global_variables()] == ["v:0"]


def test_debug_info_file_is_written(tmp_path):
    tf.no_op(name="here")
    path = str(tmp_path / "model.meta")
    tf.train.export_meta_graph(path, save_debug_info=True)
    assert sorted(os.listdir(tmp_path)) == ["model.debug", "model.meta"]
    positions = write_graph.read_message(str(tmp_path / "model.debug"), proto.GraphDebugInfo)
    lines = positions.traces["here"].file_line_cols
    first = test_debug_info_file_is_written.__code__.co_firstlineno
    here = positions.files[:].index(__file__)
    assert (here, first + 1) in [(line.file_index, line.line) for line in lines]
    assert len(lines) <= 10


def test_unserializable_collection_warns(caplog):
    tf.add_to_collection("things", object())
    tf.add_to_collection(3, "three")
    message = tf.train.export_meta_graph()
    assert list(message.collection_def) == []
    assert [record.getMessage() for record in caplog.records] == [
        "Issue encountered when serializing things.\nType is unsupported, or the types of the items "
        "don't match field type in CollectionDef. Note this is a warning and probably safe to "
        "ignore.\n'object' object has no attribute 'name'",
    ]


def test_empty_and_old_collections_warn(caplog):
    message = tf.MetaGraphDef()
    message.collection_def["empty"].SetInParent()
    message.graph_def.node.add(name="v", op="NoOp")
    message.collection_def["local_variables"].node_list.value.append("v")
    tf.train.import_meta_graph(message)
    assert tf.get_collection("local_variables") == [tf.get_default_graph().get_operations()[0]]
    assert [record.getMessage() for record in caplog.records] == [
        "Cannot identify data type for collection empty. Skipping.",
        "The saved meta_graph is possibly from an older release:\n'local_variables' collection should "
        "be of type 'byte_list', but instead is of type 'node_list'.",
    ]


class Setting:
    """A user-defined object in a collection."""

    def __init__(self, text):
        self.text = text

    def to_proto(self, export_scope=None):
        return None if self.text == "left out" else tf.NameAttrList(name=self.text)

    @staticmethod
    def from_proto(message, import_scope=None):
        return Setting(f"{import_scope}:{message.name}")


def test_registered_proto_functions_round_trip():
    register_proto_function("settings", tf.NameAttrList, Setting.to_proto, Setting.from_proto)
    with pytest.raises(
        KeyError, match="Registering two proto functions with name 'settings'! .*py:"
    ):
        register_proto_function("settings")
    with pytest.raises(TypeError, match="to_proto must be callable"):
        register_proto_function("others", to_proto="to")
    with pytest.raises(TypeError, match="from_proto must be callable"):
        register_proto_function("others", from_proto="from")
    for text in ("first", "left out", "second"):
        tf.add_to_collection("settings", Setting(text))
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message, import_scope="inside")
        texts = [item.text for item in tf.get_collection("settings")]
    assert texts == ["inside:first", "inside:second"]


def test_import_lists_all_missing_ops():
    graph_def = tf.GraphDef()
    for name, op in [("x", "NoOp"), ("a", "ZebraOp"), ("b", "ApeOp"), ("c", "ZebraOp")]:
        graph_def.node.add(name=name, op=op)
    with pytest.raises(tf.errors.NotFoundError) as raised:
        tf.import_graph_def(graph_def)
    text, hint = str(raised.value).split("\n")
    assert text.startswith("Op type not registered 'ZebraOp' in binary running on ")
    assert "Unsupported ops of this graph, with node counts: ApeOp (1), ZebraOp (2)." in hint
    part = tf.graph_util.extract_sub_graph(graph_def, ["x"])
    tf.import_graph_def(part, name="")
    assert [op.name for op in tf.get_default_graph().get_operations()] == ["x"]


def test_other_types_are_not_written(tmp_path):
    with pytest.raises(AttributeError, match="'int' object has no attribute 'DESCRIPTOR'"):
        tf.train.write_graph(3, str(tmp_path), "graph.pbtxt")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("data", [b"\xff\xfe\x00garbage", b"\x0a\xff\xf9"])
def test_unparsable_meta_graph_is_data_loss(tmp_path, data):
    """TensorFlow raises UnicodeDecodeError without naming the file."""
    path = tmp_path / "model.meta"
    path.write_bytes(data)
    with pytest.raises(tf.errors.DataLossError) as caught:
        tf.train.import_meta_graph(str(path))
    assert f"Cannot parse file {path}: neither a binary MetaGraphDef nor text: " in str(
        caught.value
    )


def test_truncated_meta_graph_is_data_loss(tmp_path):
    tf.Variable(1.0)
    data = tf.train.export_meta_graph().SerializeToString()
    path = tmp_path / "model.meta"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(tf.errors.DataLossError, match="model.meta"):
        tf.train.import_meta_graph(str(path))


def test_deeply_nested_text_is_refused(tmp_path):
    depth = 50_000
    inner = 'attr { key: "a" value { func { ' * depth
    path = tmp_path / "model.meta"
    path.write_text("graph_def { node { " + inner + "} } } " * depth + "} }")
    with pytest.raises(OSError, match="Cannot parse file .*model.meta"):
        tf.train.import_meta_graph(str(path))


@pytest.mark.parametrize(
    "change, kind",
    [
        (lambda m: m.graph_def.node.add(name="n", op="NoOp", input=["^gone"]), ValueError),
        (lambda m: m.graph_def.node.add(name="n", op="Fact2"), tf.errors.NotFoundError),
        (lambda m: m.collection_def["c"].node_list.value.append("gone:0"), KeyError),
        (lambda m: m.collection_def["variables"].bytes_list.value.append(b"\xff"), Exception),
    ],
)
def test_content_errors_name_the_file(tmp_path, change, kind):
    tf.Variable(1.0)
    message = tf.train.export_meta_graph()
    change(message)
    path = tmp_path / "model.meta"
    path.write_bytes(message.SerializeToString())
    with tf.Graph().as_default(), pytest.raises(kind) as without:
        tf.train.import_meta_graph(message)
    with tf.Graph().as_default(), pytest.raises(kind) as named:
        tf.train.import_meta_graph(str(path))
    assert type(named.value) is type(without.value)
    assert str(path) in str(named.value) and str(path) not in str(without.value)
