"""The folder of a SavedModel: its files and their permissions."""

import os

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.saved_model.saved_model_files import read_saved_model


def save(directory, assets=(), **kwargs):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.Variable(3.0, name="v")
    signature = tf.saved_model.predict_signature_def({"x": x}, {"y": x * v})
    builder = tf.saved_model.Builder(str(directory))
    with tf.Session() as session:
        session.run(v.initializer)
        builder.add_meta_graph_and_variables(
            session, ["serve"], {"serving_default": signature}, assets_collection=assets or None
        )
    return builder.save(**kwargs)


def files_in(directory):
    return sorted(
        os.path.relpath(os.path.join(parent, file), directory)
        for parent, _, files in os.walk(directory)
        for file in files
    )


def test_files_and_returned_path(tmp_path):
    path = save(tmp_path / "deep" / "model")
    assert path == os.fsencode(tmp_path / "deep" / "model" / "saved_model.pb")
    assert files_in(tmp_path / "deep" / "model") == [
        "saved_model.pb",
        "variables/variables.data-00000-of-00001",
        "variables/variables.index",
    ]


def test_text_format_is_equivalent(tmp_path):
    path = save(tmp_path / "model", as_text=True)
    assert path.endswith(b"saved_model.pbtxt")
    message = read_saved_model(str(tmp_path / "model"))
    assert message.saved_model_schema_version == 1
    data = message.SerializeToString()
    (tmp_path / "model" / "saved_model.pb").write_bytes(data)
    (tmp_path / "model" / "saved_model.pbtxt").write_text("not looked at")
    assert read_saved_model(str(tmp_path / "model")) == message


def test_differing_assets_of_one_name_are_renamed(tmp_path):
    for name, text in [("a", "one"), ("b", "two"), ("c", "one"), ("d", "two"), ("e", "three")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.txt").write_text(text)
    paths = [str(tmp_path / name / "words.txt") for name in "aabcde"]
    save(tmp_path / "model", [tf.constant(path) for path in paths])
    directory = tmp_path / "model" / "assets"
    texts = {name: (directory / name).read_text() for name in sorted(os.listdir(directory))}
    packed = read_saved_model(str(tmp_path / "model")).meta_graphs[0].collection_def
    names = []
    for item in packed["saved_model_assets"].any_list.value:
        asset = proto.AssetFileDef()
        item.Unpack(asset)
        names.append(asset.filename)
    assert names[:4] == ["words.txt", "words.txt", "words.txt_1", "words.txt"]
    assert texts["words.txt_1"] == "two"
    assert set(names) == set(texts)


def test_loading_modifies_no_file(tmp_path):
    save(tmp_path / "model")
    before = {
        name: (tmp_path / "model" / name).stat().st_mtime_ns
        for name in files_in(tmp_path / "model")
    }
    with tf.Session(graph=tf.Graph()) as session:
        meta_graph = tf.saved_model.loader.load(session, {"serve"}, str(tmp_path / "model"))
        assert (
            session.run(meta_graph.signature_def["serving_default"].outputs["y"].name, {"x:0": [2]})
            == 6
        )
    after = {
        name: (tmp_path / "model" / name).stat().st_mtime_ns
        for name in files_in(tmp_path / "model")
    }
    assert before == after


def test_maybe_saved_model_directory(tmp_path):
    is_one = tf.saved_model.loader.maybe_saved_model_directory
    assert not is_one(str(tmp_path))
    assert not is_one("/nowhere")
    save(tmp_path / "model", as_text=True)
    assert is_one(str(tmp_path / "model"))


def test_multiple_init_ops_are_refused(tmp_path):
    save(tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    message = proto.SavedModel.FromString(path.read_bytes())
    names = message.meta_graphs[0].collection_def["saved_model_main_op"].node_list.value
    names.extend(["x", "v"])
    path.write_bytes(message.SerializeToString())
    with tf.Session(graph=tf.Graph()) as session:
        with pytest.raises(RuntimeError, match="Expected exactly one SavedModel init op. Found: "):
            tf.saved_model.loader.load(session, ["serve"], str(tmp_path / "model"))


@pytest.mark.parametrize(
    "name, kinds, valid",
    [
        ("predict", ({"x": tf.float32}, {"y": tf.int32}), True),
        ("predict", ({}, {"y": tf.int32}), False),
        ("predict", ({"x": tf.float32}, {}), False),
        ("regress", ({"inputs": tf.string}, {"outputs": tf.float32}), True),
        ("regress", ({"inputs": tf.float32}, {"outputs": tf.float32}), False),
        ("regress", ({"inputs": tf.string}, {"outputs": tf.float64}), False),
        ("regress", ({"x": tf.string}, {"outputs": tf.float32}), False),
        ("classify", ({"inputs": tf.string}, {"classes": tf.string}), True),
        ("classify", ({"inputs": tf.string}, {"scores": tf.float32}), True),
        ("classify", ({"inputs": tf.string}, {"scores": tf.string}), False),
        ("classify", ({"inputs": tf.string}, {}), False),
        ("classify", ({"inputs": tf.string}, {"classes": tf.string, "more": tf.string}), False),
        ("own", ({"x": tf.float32}, {"y": tf.int32}), False),
    ],
)
def test_valid_serving_signatures(name, kinds, valid):
    info = tf.saved_model.utils.build_tensor_info
    inputs, outputs = ({k: info(tf.placeholder(t)) for k, t in each.items()} for each in kinds)
    signature = tf.saved_model.build_signature_def(inputs, outputs, f"tensorflow/serving/{name}")
    assert tf.saved_model.is_valid_signature(signature) is valid
    assert not tf.saved_model.is_valid_signature(None)


def test_graph_is_selected_by_exact_tags(tmp_path):
    builder = tf.saved_model.Builder(str(tmp_path / "m"))
    for tags in (["serve", "gpu"], ["serve"]):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.Variable(float(len(tags)), name="v").initializer.run()
            if len(tags) == 2:
                builder.add_meta_graph_and_variables(session, tags)
            else:
                builder.add_meta_graph(tags)
    builder.save()
    for tags in (["serve"], ["gpu", "serve"]):
        with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
            result = tf.saved_model.loader.load(session, tags, str(tmp_path / "m"))
        assert sorted(result.meta_info_def.tags) == sorted(tags)


def test_simple_save_clears_devices(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device("/cpu:0"):
            x = tf.placeholder(tf.float32, [2], "x")
            y = tf.multiply(x, 2.0, "y")
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": y})
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], str(tmp_path / "m"))
        assert {op.device for op in graph.get_operations()} == {""}
