"""Complete `inspect` output for small files of each kind, created here, and for files next to them."""

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.programs.cli.test_inspect import rows
from tfmini._src.base import proto
from tfmini._src.programs.cli.file_type import detect_contents
from tfmini._src.programs.cli.graph_shapes import inferred_shapes
from tfmini._src.programs.cli.inspect import inspect_path
from tfmini._src.programs.cli.reports import amount, as_text, count_text, shorten, tensor_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
MODEL = GOLDEN / "inspected"


def printed(path, **options):
    """The lines of a report, without the path, with two spaces between columns."""
    lines = as_text(inspect_path(str(path), **options)).splitlines()
    return [re.sub("  +", "  ", line.replace(f"{path}: ", "")) for line in lines]


def write_records(path, messages, options=None):
    with tf.python_io.TFRecordWriter(str(path), options) as writer:
        for message in messages:
            writer.write(message if isinstance(message, bytes) else message.SerializeToString())


def value(tag, plugin="", **what):
    metadata = tf.SummaryMetadata(plugin_data={"plugin_name": plugin}) if plugin else None
    return tf.Summary.Value(tag=tag, metadata=metadata, **what)


def test_events(tmp_path):
    sound = tf.Summary.Audio(sample_rate=8000, num_channels=2, length_frames=12)
    counts = tf.HistogramProto(num=3, min=-1.5, max=2.25)
    many, text = tf.make_tensor_proto([1.0, 2.0]), tf.make_tensor_proto("words")
    text.ClearField("tensor_shape")
    text.tensor_shape.unknown_rank = True
    graphs = [tf.GraphDef(), tf.GraphDef()]
    graphs[1].node.add(name="x", op="NoOp")
    runs = [proto.TaggedRunMetadata(tag=tag) for tag in ("first", "second")]
    events = [
        tf.Event(file_version="brain.Event:2", wall_time=0.0),
        tf.Event(
            step=4, summary=tf.Summary(value=[value("b", audio=sound), value("a", histo=counts)])
        ),
        tf.Event(step=7, summary=tf.Summary(value=[value("b", audio=tf.Summary.Audio())])),
        tf.Event(step=8, summary=tf.Summary(value=[value("m", "mine", tensor=many)])),
        tf.Event(step=9, summary=tf.Summary(value=[value("t", tensor=text), value("nothing")])),
        *(tf.Event(graph_def=graph.SerializeToString()) for graph in graphs),
        *(tf.Event(tagged_run_metadata=run) for run in runs),
        *(tf.Event(step=n, session_log=tf.SessionLog(status=n)) for n in range(4)),
        tf.Event(wall_time=90061.0),
    ]
    write_records(tmp_path / "events", events)
    assert printed(tmp_path / "events") == [
        "events",
        "14 events from 1970-01-01 00:00:00 to 1970-01-02 01:01:01",
        "graph of 0 nodes",
        "graph of 1 node",
        "session log: ? at step 0",
        "session log: start at step 1",
        "session log: stop at step 2",
        "session log: checkpoint at step 3",
        "metadata of a run: first",
        "metadata of a run: second",
        "",
        "tag  kind  count  first step  last step  first  last",
        "a  histogram  1  4  4  3 from -1.5 to 2.25  3 from -1.5 to 2.25",
        "b  audio  2  4  7  12 frames at 8000 Hz  0 frames at 0 Hz",
        "m  tensor  1  8  8  18 bytes  18 bytes",
        "nothing  -  1  9  9  -  -",
        "t  tensor  1  9  9  words  words",
    ]
    report = inspect_path(str(tmp_path / "events"))
    details = {item["name"]: item for item in report.items}
    assert [details["m"][key] for key in ("dtype", "shape", "plugin")] == ["float32", [2], "mine"]
    assert (details["t"]["shape"], "plugin" in details["t"]) == (None, False)
    assert report.facts["wall_time"] == [0.0, 90061.0]
    assert report.facts["graph_nodes"] == [0, 1]


def test_out_of_range_wall_time(tmp_path):
    write_records(tmp_path / "events", [tf.Event(file_version="brain.Event:2", wall_time=1e300)])
    assert printed(tmp_path / "events")[1] == "1 event from second 1e+300 to second 1e+300"


def test_byte_records(tmp_path):
    for count in (10, 12):
        write_records(tmp_path / "r", [b"", b"\x00" * 13, *[b"text"] * (count - 2)], "GZIP")
        lines = printed(tmp_path / "r")
        assert lines[1] == f"{count} records of bytes, {13 + 4 * (count - 2)} bytes, GZIP"
        assert lines[3:7] == [
            "the first records",
            "record  bytes  first",
            "0  0",
            "1  13  000000000000000000000000...",
        ]
        assert len(lines) == 5 + 10
        assert len(inspect_path(str(tmp_path / "r")).items) == count
    write_records(tmp_path / "r", [b"x"] * 101)
    report = inspect_path(str(tmp_path / "r"))
    assert (report.facts["records"], len(report.items)) == (101, 100)


def feature(**values):
    ((kind, result),) = values.items()
    lists = {"bytes": tf.train.BytesList, "float": tf.train.FloatList, "int64": tf.train.Int64List}
    return tf.train.Feature(**{f"{kind}_list": lists[kind](value=result)})


def test_example_records(tmp_path):
    examples = [
        {
            "a": feature(int64=[1, 2, 3, 4, 5]),
            "b": feature(bytes=[b"\xff"]),
            "empty": tf.train.Feature(),
        },
        {"a": tf.train.Feature(), "b": feature(bytes=[b"x"]), "late": tf.train.Feature()},
        {"a": feature(int64=[6]), "b": feature(bytes=[b"y"]), "late": feature(float=[0.5])},
        {"a": tf.train.Feature(), "b": feature(bytes=[b"z"]), "late": tf.train.Feature()},
    ]
    messages = [tf.train.Example(features=tf.train.Features(feature=each)) for each in examples]
    write_records(tmp_path / "r", messages)
    assert printed(tmp_path / "r")[3:] == [
        "features of the first 4 records",
        "feature  dtype  values  in records  first",
        "a  int64  0 to 5  4  1, 2, 3, 4, ...",
        "b  string  1  4  ff",
        "empty  -  0  1  -",
        "late  float32  0 to 1  3  0.5",
    ]
    items = inspect_path(str(tmp_path / "r")).items
    assert [item["shape"] for item in items] == [[None], [1], [0], [None]]
    write_records(tmp_path / "r", [*messages, b"\xff"])
    assert inspect_path(str(tmp_path / "r")).facts["of"] == "bytes"
    write_records(tmp_path / "r", [*messages, tf.train.Example()])
    assert inspect_path(str(tmp_path / "r")).facts["of"] == "bytes"


def graph_of_functions():
    graph = tf.GraphDef()
    for index, op in enumerate(("NoSuchOp", "OneMore", "Mine0")):
        function = graph.library.function.add()
        function.signature.name = f"Mine{index}"
        function.node_def.add(name="n", op=op)
    graph.node.add(name="z", op="Mine1")
    graph.node.add(name="y", op="AlsoMissing", device="/device:GPU:1")
    graph.node.add(name="x", op="NoOp")
    return graph


def test_missing_ops_in_functions(tmp_path):
    (tmp_path / "g").write_bytes(graph_of_functions().SerializeToString())
    report = inspect_path(str(tmp_path / "g"))
    assert report.facts["missing_ops"] == ["AlsoMissing", "NoSuchOp", "OneMore"]
    assert report.facts["functions"] == ["Mine0", "Mine1", "Mine2"]
    assert report.facts["devices"] == {"": 2, "/device:GPU:1": 1}
    lines = printed(tmp_path / "g")
    size = graph_of_functions().ByteSize()
    assert lines[:3] == [
        "graph",
        f"3 nodes, 3 functions, {size} bytes",
        "ops that tfmini lacks: AlsoMissing, NoSuchOp, OneMore",
    ]
    assert lines[-3:] == ["device  nodes", "(none)  2", "/device:GPU:1  1"]
    assert "Mine1  1  yes" in lines and "AlsoMissing  1  no" in lines


def test_large_constants_are_sorted_by_size(tmp_path):
    with tf.Graph().as_default() as graph:
        for name, count in (("small", 250), ("large", 300), ("larger", 9000)):
            tf.constant(np.arange(count, dtype=np.float32), name=name)
        for index in range(21):
            tf.placeholder(tf.string, name=f"x{index}")
    (tmp_path / "g").write_bytes(graph.as_graph_def().SerializeToString())
    report = inspect_path(str(tmp_path / "g"))
    assert rows(report, "constants of 1024 bytes and more") == [
        ("larger", "Const", "float32", "[9000]", 36000),
        ("large", "Const", "float32", "[300]", 1200),
    ]
    (inputs,) = [section for section in report.sections if section.title == "inputs"]
    assert (len(inputs.rows), inputs.left_out) == (20, 1)
    assert inputs.rows[0] == ("x0", "Placeholder", "string", "unknown", None)


def test_shape_inference_ignores_devices_and_colocation():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        with tf.control_dependencies([tf.no_op(name="first")]):
            tf.nn.relu(x, name="y")
    result = graph.as_graph_def()
    for node in result.node:
        if node.name == "y":
            node.device = "/no/such:device"
            node.attr["_class"].list.s.append(b"loc:@gone")
    assert inferred_shapes(result)["y"] == [None, 3]


def saved_model():
    saved = proto.SavedModel()
    for tags in (["serve", "gpu"], []):
        meta_graph = saved.meta_graphs.add()
        meta_graph.meta_info_def.tags.extend(tags)
        meta_graph.graph_def.node.add(name="x", op="NoOp" if tags else "NoSuchOp")
    signature = saved.meta_graphs[0].signature_def["parse"]
    sparse = signature.inputs["words"]
    sparse.dtype = 7
    sparse.coo_sparse.values_tensor_name = "values:0"
    sparse.coo_sparse.indices_tensor_name = "indices:0"
    sparse.tensor_shape.unknown_rank = True
    signature.outputs["a"].name = "a:0"
    signature.outputs["a"].dtype = 999
    other = saved.meta_graphs[1].signature_def["run"]
    other.method_name = "mine"
    other.outputs["b"].name = "b:0"
    other.outputs["b"].tensor_shape.dim.add(size=-1)
    return saved


def test_saved_model_with_two_graphs(tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(saved_model().SerializeToString())
    (tmp_path / "assets").mkdir()
    for name in ("words", "letters"):
        (tmp_path / "assets" / name).write_text("")
    assert printed(tmp_path) == [
        "saved model",
        "graph serve, gpu: 1 node",
        "graph without tags: 1 node",
        "ops that tfmini lacks: NoSuchOp",
        "asset: letters",
        "asset: words",
        "",
        "signature parse, without a method",
        "role  name  tensor  dtype  shape",
        "input  words  values:0  string  unknown",
        "output  a  a:0  dtype 999  []",
        "",
        "signature run, mine",
        "role  name  tensor  dtype  shape",
        "output  b  b:0  dtype 0  [?]",
    ]
    report = inspect_path(str(tmp_path))
    assert report.facts["variables"] is None and report.facts["assets"] == ["letters", "words"]
    assert [item["tags"] for item in report.items] == [["serve", "gpu"], ["serve", "gpu"], []]


def test_saved_model_with_damaged_variables(tmp_path):
    shutil.copytree(MODEL / "saved", tmp_path / "m")
    index = tmp_path / "m" / "variables" / "variables.index"
    index.write_bytes(index.read_bytes()[:-1])
    report = inspect_path(str(tmp_path / "m"))
    assert report.facts["variables"] is None
    assert report.items == inspect_path(str(MODEL / "saved")).items
    assert report.damage_text and "variables" not in "".join(report.lines)


def test_newest_checkpoint_of_directory(tmp_path):
    for age, name in enumerate(("model-1", "model-2")):
        shutil.copy(MODEL / f"{name}.index", tmp_path)
        os.utime(tmp_path / f"{name}.index", (1e9 - age, 1e9 - age))
    assert detect_contents(str(tmp_path)).path == str(tmp_path / "model-1")


@pytest.mark.parametrize("start", [512, 1024, 2048])
def test_keras_model_after_user_block(tmp_path, start):
    (tmp_path / "m").write_bytes(bytes(start) + b"\x89HDF\r\n\x1a\n" + bytes(99))
    assert detect_contents(str(tmp_path / "m")).kind == "hdf5"


def test_similar_tensor_names_are_suggested():
    with pytest.raises(tf.errors.NotFoundError) as caught:
        inspect_path(str(MODEL / "model-2"), tensor="layer/weight")
    assert caught.value.message == (
        "Key layer/weight not found in checkpoint\nPerhaps layer/weights or layer/bias?"
    )
    with pytest.raises(tf.errors.NotFoundError) as caught:
        inspect_path(str(MODEL / "model-2"), tensor="?")
    assert caught.value.message == "Key ? not found in checkpoint"
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        inspect_path(str(MODEL / "saved"), tensor="x")
    assert caught.value.message == f"{MODEL / 'saved'} is not a checkpoint but a saved model"


def saved(directory, name, **arrays):
    with tf.Graph().as_default(), tf.Session() as session:
        variables = {key: tf.Variable(array) for key, array in arrays.items()}
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(variables).save(session, str(directory / name))


def test_every_kind_of_tensor_difference(tmp_path):
    one = saved(
        tmp_path,
        "one",
        bools=[True, False, True],
        dtype=[1.0],
        halves=np.float16([1, np.nan, np.inf]),
        here=[1.0],
        same=[np.nan, 1.0],
        shape=[1.0],
        small=np.uint8([3, 200]),
        words=["a", "b"],
    )
    other = saved(
        tmp_path,
        "other",
        bools=[False, True, True],
        dtype=[1],
        halves=np.float16([2, np.nan, -np.inf]),
        same=[np.nan, 1.0],
        shape=[[1.0]],
        small=np.uint8([5, 100]),
        there=[1.0],
        words=["a", "c"],
    )
    assert printed(one, diff=other) == [
        "checkpoint",
        f"compared with {other}: 1 tensor equal, 8 different",
        "",
        "name  dtype  shape  status  largest change",
        "bools  bool  [3]  2 changed  -",
        "dtype  float32  [1]  dtype became int32  -",
        "halves  float16  [3]  2 changed  inf",
        f"here  float32  [1]  only in {one}  -",
        "shape  float32  [1]  shape became [1, 1]  -",
        "small  uint8  [2]  2 changed  100",
        f"there  float32  [1]  only in {other}  -",
        "words  string  [2]  1 changed  -",
    ]


def test_single_tensor(tmp_path):
    path = saved(tmp_path, "one", x=np.float32([[0, 2], [4, np.inf]]), w=["a", "long"], b=[True])
    assert printed(path, tensor="x") == [
        "checkpoint",
        "x: float32 [2, 2]",
        "",
        "what  value",
        "elements  4",
        "zeros  1",
        "nan  0",
        "infinite  1",
        "min  0",
        "max  4",
        "mean  2",
        "deviation  1.63299",
        "first  0, 2, 4, inf",
    ]
    assert printed(path, tensor="w")[4:] == [
        "elements  2",
        "shortest  1",
        "longest  4",
        "first  a, long",
    ]
    assert printed(path, tensor="b")[4:] == ["elements  1", "true  1", "first  yes"]


def test_sizes_and_counts():
    assert [amount(n) for n in (0, 999, 1000, 1_250_000, 3 * 10**9, 5 * 10**12, 7 * 10**15)] == [
        *("0 bytes", "999 bytes", "1.0 kB", "1.2 MB", "3.0 GB", "5.0 TB", "7000.0 TB")
    ]
    assert [count_text(n, "row") for n in (0, 1, 2, 12345)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "12,345 rows",
    ]
    assert tensor_bytes("float32", [2, 3]) == 24 and tensor_bytes("float32_ref", []) == 4
    assert [
        tensor_bytes(d, s) for d, s in (("string", [1]), ("float32", [None]), ("what", []))
    ] == [None] * 3
    assert tensor_bytes("resource", []) is None and tensor_bytes("int8", None) is None
    assert shorten(b"a" * 24) == "'" + "a" * 24 + "'"
    assert shorten(b"a" * 25) == "'" + "a" * 24 + "'..."
    assert shorten(b"\n" * 12) == "0a" * 12 and shorten(b"\n" * 13) == "0a" * 12 + "..."


@pytest.mark.parametrize("has_saver", [False, True])
@pytest.mark.parametrize("version", ["", "1.15.5"])
def test_meta_graph_with_and_without_saver(tmp_path, has_saver, version):
    meta = tf.MetaGraphDef()
    meta.graph_def.node.add(name="x", op="NoOp")
    meta.graph_def.versions.producer = 134
    meta.meta_info_def.tensorflow_version = version
    meta.meta_info_def.tags.extend(["serve", "other"])
    meta.collection_def["b"].int64_list.value.extend([1, 2])
    meta.collection_def["a"].SetInParent()
    if has_saver:
        meta.saver_def.filename_tensor_name = "f:0"
        meta.saver_def.save_tensor_name = "s:0"
        meta.saver_def.restore_op_name = "r"
    path = tmp_path / "m.meta"
    path.write_bytes(meta.SerializeToString())
    report = inspect_path(str(path))
    saver = {"filename": "f:0", "save": "s:0", "restore": "r"}
    assert report.facts.get("saver") == (saver if has_saver else None)
    assert ("saver" in report.facts) == has_saver
    assert report.facts["collections"] == {"a": 0, "b": 2}
    assert report.facts["tags"] == ["serve", "other"]
    assert report.facts["tensorflow_version"] == version
    lines = printed(path)
    assert lines[2 : lines.index("")] == [
        *(["written by TensorFlow 1.15.5"] if version else []),
        *(["saved by s:0, restored by r"] if has_saver else []),
    ]
    assert lines[lines.index("collections") + 1 :] == [
        "name  kind  entries",
        "a  -  0",
        "b  int64_list  2",
    ]
