"""`python -m tfmini inspect` on files written by TensorFlow 1.15.5."""

import json
import os
import shutil
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import tfmini as tf
from tests.programs.cli.test_devices import tfmini
from tfmini._src.programs.cli.checkpoint_report import value_statistics
from tfmini._src.programs.cli.graph_shapes import inferred_shapes
from tfmini._src.programs.cli.inspect import inspect_path
from tfmini._src.programs.cli.reports import as_json, as_text

GOLDEN = Path(__file__).parents[2] / "golden"
MODEL = GOLDEN / "inspected"


def inspected(*parts, **options):
    return inspect_path(str(GOLDEN.joinpath(*parts)), **options)


def rows(report, title=""):
    (section,) = [section for section in report.sections if section.title == title]
    return [tuple(row) for row in section.rows]


def test_checkpoint():
    for path in ("model-2", "model-2.index", ""):
        report = inspected("inspected", path)
        assert report.kind == "checkpoint"
        assert report.facts == {"version": 2, "elements": 650, "bytes": 2600}
        assert report.items == [
            {"name": "layer/bias", "dtype": "float32", "shape": [10], "bytes": 40},
            {"name": "layer/weights", "dtype": "float32", "shape": [64, 10], "bytes": 2560},
        ]
        assert rows(report)[1] == ("layer/weights", "float32", "[64, 10]", 2560)


def test_checkpoint_dtypes():
    report = inspected("checkpoints", "bundle")
    items = {item["name"]: item for item in report.items}
    assert report.sections[0].columns[-1] == "slices"
    sizes = {"shape": [7, 4], "bytes": 224, "slices": 3}
    assert items["parts"] == {"name": "parts", "dtype": "float64", **sizes}
    assert items["strings"]["dtype"] == "string"
    assert items["deep/er/half"]["bytes"] == 8


def test_version_1_checkpoint():
    report = inspected("checkpoints", "old")
    assert report.kind == "checkpoint" and report.facts["version"] == 1
    assert len(report.items) > 1
    for item in report.items:
        one = inspected("checkpoints", "old", tensor=item["name"]).items[0]
        assert one["statistics"]["elements"] == np.prod(item["shape"])


@pytest.mark.parametrize("name", ["shards", "shards-?????-of-00002", "shards-00000-of-00002"])
def test_version_1_shards(name):
    report = inspected("checkpoints", name)
    assert report.kind == "checkpoint" and report.facts["version"] == 1
    reader = tf.train.NewCheckpointReader(str(GOLDEN / "checkpoints" / "shards-?????-of-00002"))
    shapes = reader.get_variable_to_shape_map()
    found = {item["name"]: item["shape"] for item in report.items}
    assert found and found.items() <= shapes.items()
    assert len(found) == len(shapes) or name.endswith("00000-of-00002")


def test_newest_checkpoint_without_state_file(tmp_path):
    for age, name in enumerate(("model-2", "model-1")):
        shutil.copy(MODEL / f"{name}.index", tmp_path)
        os.utime(tmp_path / f"{name}.index", (1e9 - age, 1e9 - age))
    report = inspect_path(str(tmp_path))
    assert (report.kind, report.path) == ("checkpoint", str(tmp_path / "model-2"))


def test_sibling_event_files_are_named(tmp_path):
    shutil.copy(MODEL / "model-1.index", tmp_path)
    shutil.copy(GOLDEN / "records" / "events", tmp_path / "events.out.tfevents.1600000000.host")
    named = "event files in the directory: events.out.tfevents.1600000000.host"
    assert named in inspect_path(str(tmp_path)).lines
    assert named not in inspect_path(str(tmp_path / "model-1")).lines


def test_checkpoint_state_file():
    report = inspected("inspected", "checkpoint")
    assert (report.kind, report.path) == ("checkpoint", str(MODEL / "model-2"))


def test_tensor_statistics():
    (item,) = inspected("inspected", "model-2", tensor="layer/weights").items
    values = np.linspace(-1, 1, 640, dtype=np.float32)
    found = item["statistics"]
    assert (found["elements"], found["zeros"], found["nan"], found["infinite"]) == (640, 0, 0, 0)
    assert (found["min"], found["max"]) == (-1, 1)
    assert found["mean"] == pytest.approx(0, abs=1e-7)
    assert found["deviation"] == pytest.approx(values.std(dtype=np.float64))
    assert found["first"] == values[:8].tolist()


def test_statistics():
    found = value_statistics(np.array([[0, np.nan], [np.inf, 4], [-np.inf, -1]], np.float32))
    assert found.pop("first")[3:] == [4, -np.inf, -1]
    assert found == {
        **{"elements": 6, "zeros": 1, "nan": 1, "infinite": 2},
        **{"min": -1, "max": 4, "mean": 1, "deviation": pytest.approx(np.sqrt(14 / 3))},
    }
    found = value_statistics(np.array([b"one", b"\xff", b""], object))
    assert found == {"elements": 3, "shortest": 0, "longest": 3, "first": ["one", "\\xff", ""]}
    assert value_statistics(np.array([True, False, True]))["true"] == 2
    assert value_statistics(np.array([3 + 4j]))["mean"] == "(3+4j)"
    assert value_statistics(np.arange(3).astype(ml_dtypes.bfloat16))["mean"] == 1
    assert value_statistics(np.zeros([0, 3]))["first"] == []
    found = value_statistics(np.array([-(2**63), 1234567, 2**63 - 1]))
    assert (found["min"], found["max"]) == (-(2**63), 2**63 - 1)
    assert isinstance(found["max"], int)  # shown with all its digits
    assert value_statistics(np.uint64([2**64 - 1]))["max"] == 2**64 - 1


def test_checkpoint_diff():
    report = inspected("inspected", "model-2", diff=str(MODEL / "model-1"))
    assert [item["status"] for item in report.items] == ["9 changed", "same"]
    assert report.items[0]["largest_change"] == pytest.approx(0.9)
    assert [row[0] for row in rows(report)] == ["layer/bias"]
    assert inspected("inspected", "model-1", diff=str(MODEL / "model-1")).sections == []
    report = inspected("inspected", "model-2", diff=str(GOLDEN / "checkpoints" / "bundle"))
    statuses = {item["name"]: item["status"] for item in report.items}
    assert statuses["layer/bias"].startswith("only in") and "model-2" in statuses["layer/bias"]
    assert "bundle" in statuses["matrix"]


def test_integer_differences_are_exact(tmp_path):
    values = tf.Variable(np.array([2**60, -(2**63), 5]))
    saver = tf.train.Saver({"values": values})
    with tf.Session() as session:
        for name, array in ("one", [2**60, -(2**63), 5]), ("other", [2**60 + 1, 2**63 - 1, 5]):
            session.run(values.assign(array))
            saver.save(session, str(tmp_path / name))
    (item,) = inspect_path(str(tmp_path / "one"), diff=str(tmp_path / "other")).items
    assert (item["changed"], item["largest_change"]) == (2, 2**64 - 1)


def test_meta_graph():
    report = inspected("inspected", "model.meta")
    assert report.kind == "meta_graph"
    assert report.facts["missing_ops"] == ["ImmutableConst"]
    assert report.facts["tensorflow_version"] == "1.15.5"
    assert report.facts["collections"] == {"trainable_variables": 2, "variables": 2}
    assert report.facts["saver"]["restore"] == "save/restore_all"
    assert set(report.facts["devices"]) == {"", "/device:CPU:0", "/device:GPU:0"}
    variables = [item for item in report.items if item["role"] == "variable"]
    assert [(v["name"], v["shape"], v["bytes"]) for v in variables] == [
        ("layer/weights", [64, 10], 2560),
        ("layer/bias", [10], 40),
    ]
    assert rows(report, "inputs")[0] == ("images", "Placeholder", "float32", "[?, 64]", None)
    assert ("digits", "Softmax", "float32", "[?, 10]", None) in rows(report, "outputs")
    assert ("ImmutableConst", 1, False) in rows(report, "ops")


def test_model_outputs_precede_gradients_and_updates(tmp_path):
    path = str(tmp_path / "model.meta")
    variable = tf.get_variable("v", [2])
    loss = tf.reduce_sum(tf.square(variable), name="loss")
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    tf.nn.softmax(variable, name="probabilities")
    tf.train.export_meta_graph(path)
    outputs = [item["name"] for item in inspect_path(path).items if item["role"] == "output"]
    assert outputs[:2] == ["loss", "probabilities"]
    assert "v/Assign" in outputs[2:]


def test_variable_reads_and_summaries_are_not_outputs(tmp_path):
    path = str(tmp_path / "model.meta")
    tf.get_variable("unused", [2])
    tf.summary.scalar("cost", tf.reduce_sum(tf.placeholder(tf.float32), name="loss"))
    tf.train.export_meta_graph(path)
    outputs = [item["name"] for item in inspect_path(path).items if item["role"] == "output"]
    assert outputs[0] == "loss"
    assert {"unused/read", "cost"} <= set(outputs[1:])


@pytest.mark.parametrize("producer, shape", [(21, None), (22, [])])
def test_old_placeholders_without_dimensions_have_unknown_shape(tmp_path, producer, shape):
    graph_def = tf.GraphDef()
    graph_def.versions.producer = producer
    node = graph_def.node.add(name="x", op="Placeholder")
    node.attr["dtype"].type = 1
    node.attr["shape"].shape.SetInParent()
    (tmp_path / "old.pb").write_bytes(graph_def.SerializeToString())
    (item,) = inspect_path(str(tmp_path / "old.pb")).items
    assert item["shape"] == shape


def test_frozen_graph(tmp_path):
    report = inspected("inspected", "frozen.pb")
    assert report.kind == "graph"
    assert [(i["name"], i["role"], i["dtype"], i["shape"]) for i in report.items] == [
        ("images", "input", "float32", [None, 64]),
        ("digits", "output", "float32", [None, 10]),
        ("mapped", "output", "float32", None),
        ("layer/weights", "constant", "float32", [64, 10]),
    ]
    graph = tf.GraphDef.FromString((MODEL / "frozen.pb").read_bytes())
    (tmp_path / "graph").write_text(str(graph))
    text = inspect_path(str(tmp_path / "graph"))
    assert (text.kind, text.items, text.facts) == ("graph", report.items, report.facts)


def test_saved_model():
    report = inspected("inspected", "saved")
    assert report.kind == "saved_model"
    assert report.facts["variables"] == {"tensors": 2, "bytes": 2600}
    assert report.facts["graphs"] == [
        {"tags": ["serve"], "nodes": 72, "missing_ops": ["ImmutableConst"]}
    ]
    assert rows(report, "signature serving_default, tensorflow/serving/predict") == [
        ("input", "images", "images:0", "float32", "[?, 64]"),
        ("output", "digits", "digits:0", "float32", "[?, 10]"),
    ]
    assert inspected("inspected", "saved", "saved_model.pb").items == report.items


def test_events():
    report = inspected("records", "events")
    assert report.kind == "events"
    assert report.facts["events"] == 11 and report.facts["run_metadata"] == ["first run"]
    assert report.facts["session_logs"] == ["start at step 3"]
    loss, image, weights = report.items
    assert (loss["kind"], loss["count"], loss["first_step"], loss["last_step"]) == (
        *("scalar", 3, 0),
        2,
    )
    assert (loss["first"], loss["last"]) == (1.0, pytest.approx(1 / 3))
    assert (image["kind"], image["last"]) == ("image", "1 x 1")
    assert (weights["kind"], weights["last"]) == ("histogram", "3 from 0 to 2")


def test_newest_event_file_of_directory(tmp_path):
    for second in (1600000000, 1700000000):
        name = f"events.out.tfevents.{second}.host"
        shutil.copy(GOLDEN / "records" / "events", tmp_path / name)
    report = inspect_path(str(tmp_path))
    assert (report.kind, report.path) == ("events", str(tmp_path / name))


def test_examples():
    report = inspected("records", "examples")
    assert report.kind == "records"
    assert report.facts["records"] == 2 and report.facts["of"] == "Example"
    assert [(i["name"], i["dtype"], i["shape"], i["records"]) for i in report.items] == [
        ("image", "string", [1], 2),
        ("label", "int64", [1], 2),
        ("weights", "float32", [2], 2),
    ]


def test_sequence_examples(tmp_path):
    steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=range(n))) for n in (1, 2)]
    lists = tf.train.FeatureLists(feature_list={"words": tf.train.FeatureList(feature=steps)})
    length = tf.train.Feature(float_list=tf.train.FloatList(value=[2]))
    context = tf.train.Features(feature={"length": length})
    example = tf.train.SequenceExample(context=context, feature_lists=lists)
    with tf.io.TFRecordWriter(str(tmp_path / "records")) as writer:
        writer.write(example.SerializeToString())
    report = inspect_path(str(tmp_path / "records"))
    assert report.facts["of"] == "SequenceExample"
    assert [(i["name"], i["dtype"], i["shape"]) for i in report.items] == [
        ("length", "float32", [1]),
        ("words (steps)", "int64", [3]),
    ]


@pytest.mark.parametrize(
    "name, compression", [("records", ""), ("records.gzip", "GZIP"), ("records.zlib", "ZLIB")]
)
def test_records(name, compression):
    report = inspected("records", name)
    assert report.kind == "records"
    assert (report.facts["records"], report.facts["of"]) == (4, "bytes")
    assert report.facts["compression"] == compression
    assert [item["bytes"] for item in report.items] == [5, 0, 1000, 1280]


FILES = [
    ("checkpoints/old", "checkpoint"),
    ("inspected/frozen.pb", "graph"),
    ("inspected/model.meta", "meta_graph"),
    ("inspected/saved/saved_model.pb", "saved_model"),
    ("records/events", "events"),
    ("records/records.zlib", "records"),
]


@pytest.mark.parametrize("path, kind", FILES)
def test_file_kind_ignores_file_name(path, kind, tmp_path):
    shutil.copy(GOLDEN / path, tmp_path / "model.tfrecord.pb")
    report = inspect_path(str(tmp_path / "model.tfrecord.pb"))
    assert report.kind == kind
    whole = json.loads(as_json(report))
    assert (whole["kind"], whole["path"]) == (kind, report.path)
    assert [item["name"] for item in whole["items"]] == [item["name"] for item in report.items]
    assert as_text(report).startswith(f"{report.path}: {kind.replace('_', ' ')}\n")


def test_json_represents_nan_and_infinity(tmp_path):
    with tf.io.TFRecordWriter(str(tmp_path / "events")) as writer:
        value = tf.Summary.Value(tag="x", simple_value=float("nan"))
        writer.write(tf.Event(file_version="brain.Event:2").SerializeToString())
        for step in (7, 3):  # started again
            writer.write(tf.Event(step=step, summary=tf.Summary(value=[value])).SerializeToString())
    (item,) = json.loads(as_json(inspect_path(str(tmp_path / "events"))))["items"]
    assert (item["last"], item["last_step"]) == ("nan", 3)


def test_command_prints_report():
    process = tfmini("inspect", str(MODEL / "model-2"))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines() == [
        f"{MODEL / 'model-2'}: checkpoint",
        "version 2: 2 tensors, 650 elements, 2.6 kB",
        "",
        "name           dtype    shape     bytes",
        "layer/bias     float32  [10]         40",
        "layer/weights  float32  [64, 10]   2560",
    ]
    process = tfmini("inspect", "--json", str(MODEL / "model-2"), "--tensor", "layer/bias")
    assert json.loads(process.stdout)["items"][0]["statistics"]["elements"] == 10


def test_invalid_usage():
    for arguments in ((), ("x", "--tensor", "y", "--diff", "z"), ("x", "--yaml")):
        assert tfmini("inspect", *arguments).returncode == 2
    process = tfmini("inspect", "/there/is/nothing")
    assert (process.returncode, process.stdout) == (1, "")
    text = "python -m tfmini inspect: /there/is/nothing; No such file or directory\n"
    assert process.stderr == text


def test_shape_inference_stops_at_unknown_ops(tmp_path):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        tf.while_loop(lambda v: tf.reduce_sum(v) < 9, lambda v: v * 2, [x], name="loop")
        product = tf.matmul(x, tf.ones([3, 5]), name="known")
        tf.nn.relu(product, name="after")
        tf.nn.relu(x, name="not_known")
    graph_def = graph.as_graph_def()
    for node in graph_def.node:
        if node.name == "not_known":
            node.op = "NoSuchOp"
            graph_def.node.add(name="behind", op="Relu", input=["not_known"]).attr["T"].type = 1
            break
    shapes = inferred_shapes(graph_def)
    assert shapes["after"] == [None, 5] and shapes["loop/Less/y"] == []
    assert "not_known" not in shapes and "behind" not in shapes
    graph_def.node.add(name="after", op="Relu", input=["x"])
    assert inferred_shapes(graph_def) == {}


@pytest.mark.parametrize("kind", ["keras", "h5"])
def test_keras_models(kind):
    pytest.importorskip("h5py")
    path = (
        Path(__file__).parents[2] / "models" / "keras" / "saving" / "keras_3" / f"functional.{kind}"
    )
    report = inspect_path(str(path))
    assert report.kind == ("keras_archive" if kind == "keras" else "hdf5")
    assert report.facts["keras_version"] == "3.15.1"
    assert report.facts["layers"][1] == {"name": "conv2d", "class": "Conv2D"}
    shapes = [item["shape"] for item in report.items if "conv2d" in item["name"]]
    assert sorted(shapes) == [[3], [3, 3, 2, 3]]
    assert "Functional of 9 layers" in as_text(report) and "by Keras 3.15.1" in as_text(report)


def test_damaged_keras_model(tmp_path):
    path = tmp_path / "model.h5"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(600))
    with pytest.raises(tf.errors.InvalidArgumentError, match="model.h5: "):
        inspect_path(str(path))
