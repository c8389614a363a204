"""tfdbg's reading of a step's dump folder, handwritten with its file naming; errors."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import importlib
import json
import os

import numpy as np

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_OTHER = "/job:a_worker/replica:1/task:12/device:GPU:3"


def _debug(tf):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(package + ".python.debug")


def _folder(device):
    return "_tfdbg_device_" + device.replace(":", "_").replace("/", ",")


def _write(tf, path, **fields):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(tf.Event(**fields).SerializeToString())


def _tensor(tf, root, device, name, value, when, slot=0, key="DebugIdentity"):
    tensor = tf.make_tensor_proto(value)
    if tensor.dtype != tf.string.as_datatype_enum:
        tensor.tensor_content = np.asarray(value).tobytes()
        for field in ("float_val", "int_val", "half_val"):
            tensor.ClearField(field)
    path = os.path.join(root, _folder(device), *f"{name}_{slot}_{key}_{when}".split("/"))
    _write(tf, path, summary=tf.Summary(value=[tf.Summary.Value(tensor=tensor)]))


def _graph(tf, root, device, made=None):
    graph = made or tf.get_default_graph().as_graph_def()
    for node in graph.node:
        node.device = device
    path = os.path.join(root, _folder(device), "_tfdbg_graph_hash7_1000")
    _write(tf, path, graph_def=graph.SerializeToString())


def _notes(tf, root, number=1):
    core = {"global_step": 4, "session_run_index": number, "executor_step_index": 2}
    core.update(input_names=["x:0"], output_names=["s/y:0"], target_nodes=["go"])
    for name, text in (
        (f"core_metadata_sessionrun{number:014d}_1000", json.dumps(core)),
        ("fetches_info_" + "x" * (number - 1), f"fetched {number}"),
        ("feed_keys_info_" + "x" * (number - 1), f"fed {number}"),
    ):
        message = tf.Event().log_message
        message.message = text
        _write(tf, os.path.join(root, "_tfdbg_" + name), log_message=message)


def _model(tf):
    """A few nodes: several output slots, control inputs, names with underscores."""
    x = tf.placeholder(tf.float32, [3], name="x")
    with tf.name_scope("s"):
        y = tf.log(x, name="y_1")
        parts = tf.split(y, 3, name="parts")
    with tf.control_dependencies([y.op, parts[0].op]):
        tf.add_n([parts[1], parts[2], parts[2]], name="sum")
        tf.no_op(name="go")
    return x


def _dumped(tf, root):
    _model(tf)
    _graph(tf, root, _CPU)
    _notes(tf, root)
    _tensor(tf, root, _CPU, "x", np.array([0, 1, 2], "f"), 1000)
    _tensor(tf, root, _CPU, "s/y_1", np.array([-np.inf, 0, 0.5], "f"), 1010)
    _tensor(tf, root, _CPU, "s/parts", np.array([-np.inf], "f"), 1030)
    _tensor(tf, root, _CPU, "s/parts", np.array([0], "f"), 1020, slot=1)
    _tensor(tf, root, _CPU, "s/parts", np.array([0.5], "f"), "1030-1", slot=2)
    _tensor(tf, root, _CPU, "sum", np.array([1], "f"), 1040)
    _tensor(tf, root, _CPU, "sum", np.array([np.nan], "f"), 1050)
    return _debug(tf).DebugDumpDir(root)


def a_step(tf, stage):
    found = _dumped(tf, stage.folder)
    stage.say(found.size, found.t0, found.devices(), found.core_metadata)
    stage.say(found.run_fetches_info, found.run_feed_keys_info, found.python_graph)
    stage.say(found.loaded_partition_graphs(), len(found.partition_graphs()))
    for datum in found.dumped_tensor_data:
        stage.say(datum, repr(datum), datum.timestamp, datum.extended_timestamp, datum.debug_op)
        stage.say(datum.device_name, datum.node_name, datum.output_slot, datum.tensor_name)
        stage.say(datum.watch_key, datum.file_path, datum.dump_size_bytes, datum.get_tensor())
    for name in ("x", "s/y_1", "s/parts", "sum", "go", "none"):
        stage.say(name)
        stage.attempts(
            lambda: found.node_device(name),
            lambda: found.node_op_type(name, _CPU),
            lambda: sorted(found.node_attributes(name)),
            lambda: found.node_inputs(name),
            lambda: found.node_inputs(name, is_control=True),
            lambda: found.node_recipients(name),
            lambda: found.node_recipients(name, is_control=True),
            lambda: sorted(found.debug_watch_keys(name)),
            lambda: (found.node_exists(name), found.node_exists(name, _CPU)),
        )
    stage.attempts(lambda: found.nodes("nowhere"), lambda: found.node_exists("x", "nowhere"))


def tensors(tf, stage):
    found, debug = _dumped(tf, stage.folder), _debug(tf)
    key = "DebugIdentity"
    for name, slot, kind in (
        ("sum", 0, key),
        ("s/parts", 2, key),
        ("s/parts", 3, key),
        ("s/y_1", 0, "DebugNanCount"),
        ("go", 0, key),
        ("none", 0, key),
    ):
        stage.say(name, slot, kind)
        stage.attempts(
            lambda: found.get_tensor_file_paths(name, slot, kind),
            lambda: found.get_rel_timestamps(name, slot, kind),
            lambda: found.get_dump_sizes_bytes(name, slot, kind),
            lambda: found.watch_key_to_data(f"{name}:{slot}:{kind}"),
        )
    bad = debug.has_inf_or_nan
    for options in (
        {},
        {"first_n": 1},
        {"first_n": 2},
        {"first_n": -1},
        {"exclude_node_names": "s/"},
        {"exclude_node_names": ".*parts"},
        {"exclude_node_names": "parts"},
        {"exclude_node_names": "s/y|sum", "first_n": 1},
    ):
        stage.attempt(found.find, bad, **options)
    stage.attempt(found.find, lambda datum, value: 1 // 0)


def folders(tf, stage):
    debug = _debug(tf)
    stage.attempt(debug.DebugDumpDir, stage.folder + "/none")
    _dumped(tf, stage.folder + "/a")
    open(stage.folder + "/file", "w").close()
    stage.attempt(debug.DebugDumpDir, stage.folder + "/file")
    empty = stage.folder + "/empty"
    os.makedirs(empty)
    found = debug.DebugDumpDir(empty)
    stage.say(found.size, found.t0, found.devices(), found.core_metadata, found.run_fetches_info)
    stage.say(found.run_feed_keys_info, found.dumped_tensor_data, found.loaded_partition_graphs())
    stage.say(found.find(lambda datum, value: True), found.debug_watch_keys("x"))
    stage.attempts(
        found.partition_graphs,
        found.nodes,
        lambda: found.node_exists("x"),
        lambda: found.node_device("x"),
        lambda: found.node_op_type("x"),
        lambda: found.node_attributes("x"),
        lambda: found.node_inputs("x"),
        lambda: found.node_recipients("x"),
    )
    odd = stage.folder + "/odd"
    _tensor(tf, odd, _CPU, "x", np.float32(1), 1000, key="")
    stage.attempt(debug.DebugDumpDir, odd)
    short = stage.folder + "/short"
    _write(tf, f"{short}/{_folder(_CPU)}/x_0", step=1)
    stage.attempt(debug.DebugDumpDir, short)
    several = stage.folder + "/several"
    for number in (1, 2):
        _notes(tf, several, number)
    found = debug.DebugDumpDir(several)
    stage.say(sorted(found.core_metadata, key=str))
    stage.say(sorted(found.run_fetches_info), sorted(found.run_feed_keys_info))


def graphs_of_the_client(tf, stage):
    debug, root = _debug(tf), stage.folder
    _model(tf)
    for name, when in (("x", 1000), ("new", 1001)):
        _tensor(tf, root, _CPU, name, np.float32(1.5), when)
    found = debug.DebugDumpDir(root)
    stage.say(found.loaded_partition_graphs(), found.devices(), found.size)
    graph = tf.get_default_graph().as_graph_def()
    stage.say(debug.DebugDumpDir(root, [graph]).loaded_partition_graphs())
    for node in graph.node:
        node.device = _CPU
    stage.attempt(debug.DebugDumpDir, root, [graph])
    found = debug.DebugDumpDir(root, partition_graphs=[graph], validate=False)
    stage.say(found.nodes(), found.node_exists("new"), found.partition_graphs() == [graph])
    graph.node.add(name="new", op="NoOp", device=_CPU)
    found = debug.DebugDumpDir(root, [tf.GraphDef(), graph])
    stage.say(found.nodes(), found.node_device("new"))
    _graph(tf, root, _CPU)


def several_devices(tf, stage):
    root = stage.folder
    _model(tf)
    _graph(tf, root, _CPU)
    graph = tf.GraphDef()
    graph.node.add(name="far", op="NoOp")
    graph.node.add(name="x", op="Placeholder")
    _graph(tf, root, _OTHER, graph)
    _tensor(tf, root, _CPU, "s/y_1", np.array([1.0], "f"), 1002)
    _tensor(tf, root, _OTHER, "far", np.array([np.nan], "f"), 1001)
    _tensor(tf, root, _OTHER, "x", np.array([2.0], "f"), 1003)
    _tensor(tf, root, _CPU, "x", np.array([np.inf], "f"), 1000)
    debug = _debug(tf)
    found = debug.DebugDumpDir(root)
    stage.say(sorted(found.devices()), found.size, found.t0)
    stage.say([str(datum) for datum in found.dumped_tensor_data])
    stage.say(sorted(found.nodes()), sorted(found.nodes(_OTHER)), len(found.partition_graphs()))
    stage.attempts(
        lambda: sorted(found.node_device("x")),
        lambda: found.node_op_type("x"),
        lambda: found.watch_key_to_data("x:0:DebugIdentity"),
    )
    bad = debug.has_inf_or_nan
    stage.say(sorted(str(datum) for datum in found.find(bad)))


def of_a_debuggers_own_nodes(tf, stage):
    graph, root = tf.GraphDef(), stage.folder
    for name, op, inputs in (
        ("a", "Const", []),
        ("__copy_a_0", "Copy", ["a"]),
        ("__dbg_a:0_0_DebugIdentity", "DebugIdentity", ["__copy_a_0"]),
        ("b", "Split", ["__copy_a_0", "a:0", "^__dbg_a:0_0_DebugIdentity", "^a"]),
        ("c", "Neg", ["b:1", "^send"]),
        ("send", "_Send", ["__copy_a_0"]),
        ("other_send", "_Send", ["b"]),
        ("d", "NoOp", ["^send", "^other_send", "^elsewhere"]),
    ):
        graph.node.add(name=name, op=op, input=inputs)
    _graph(tf, root, _CPU, graph)
    _tensor(tf, root, _CPU, "a", np.array([1], "f"), 1000)
    found = _debug(tf).DebugDumpDir(root)
    stage.say(found.nodes(), [len(each.node) for each in found.partition_graphs()])
    for name in ("a", "b", "c", "d", "send", "__copy_a_0", "__dbg_a:0_0_DebugIdentity"):
        stage.say(name, found.node_exists(name))
    graph.node.add(name="a", op="NoOp")
    _graph(tf, root, _CPU, graph)
    stage.attempt(_debug(tf).DebugDumpDir, root)


def order_in_time(tf, stage):
    debug = _debug(tf)
    for number, (times, op) in enumerate(
        [
            ({"a": 1000, "b": 1001, "c": 1002}, "Add"),
            ({"a": 1000, "b": 1000, "c": 1000}, "Add"),
            ({"a": 1001, "b": 1000, "c": 1002}, "Add"),
            ({"a": 1002, "b": 1000, "c": 1001}, "Add"),
            ({"b": 1002, "c": 1001}, "Add"),
            ({"a": 1002, "c": 1001}, "Add"),
            ({"a": 1000, "b": 1002, "c": 1001}, "Merge"),
            ({"a": 1001, "b": 1002, "c": 1000}, "Merge"),
            ({"e": 1002, "c": 1001}, "Add"),
            ({"c": 1000}, "Add"),
        ]
    ):
        root, graph = f"{stage.folder}/{number}", tf.GraphDef()
        graph.node.add(name="a", op="Const")
        graph.node.add(name="b", op="Unpack")
        graph.node.add(name="e", op="Enter")
        graph.node.add(name="c", op=op, input=["b:1", "a", "b:1", "e"])
        _graph(tf, root, _CPU, graph)
        for name, when in times.items():
            slot = 1 if name == "b" else 0
            _tensor(tf, root, _CPU, name, np.array([1], "f"), when, slot=slot)
        stage.attempt(lambda: debug.DebugDumpDir(root).size)


def events(tf, stage):
    debug = _debug(tf)
    load = debug.load_tensor_from_event
    for value, dtype in (
        ([1, 2], tf.int64),
        ([[1.5], [2.5]], tf.float64),
        ([b"a", b"b"], tf.string),
        ([], tf.float32),
        ([1j, 2j], tf.complex64),
        ([True, False], tf.bool),
        (np.zeros([2, 0], "i"), tf.int32),
    ):
        tensor = tf.make_tensor_proto(value, dtype)
        if dtype != tf.string:
            tensor.tensor_content = tf.make_ndarray(tensor).tobytes()
        event = tf.Event(summary=tf.Summary(value=[tf.Summary.Value(tensor=tensor)]))
        found = load(event)
        stage.say(found.dtype, found.shape, found)
        path = os.path.join(stage.folder, "event")
        _write(tf, path, summary=event.summary)
        stage.say(debug.load_tensor_from_event_file(path))
    for fields in (
        {"dtype": 1, "float_val": [1.5]},
        {"dtype": 1, "float_val": [1.5], "shape": [1]},
        {"dtype": 1, "shape": [0, 3]},
        {"dtype": 7},
        {"dtype": 7, "shape": [2], "string_val": [b"a"]},
        {"dtype": 20, "tensor_content": b"x"},
        {"dtype": 20},
    ):
        tensor = type(tf.make_tensor_proto(1.0))(
            **{k: v for k, v in fields.items() if k != "shape"}
        )
        for size in fields.get("shape", ()):
            tensor.tensor_shape.dim.add(size=size)
        found = load(tf.Event(summary=tf.Summary(value=[tf.Summary.Value(tensor=tensor)])))
        stage.say(type(found).__name__, str(found).replace("\n", "|"))
        stage.say(getattr(found, "initialized", "-"), bool(debug.has_inf_or_nan(None, found)))

    def inf(datum, value):
        return bool(debug.has_inf_or_nan(datum, value))

    stage.say(
        [inf(None, np.array(x)) for x in (1.0, np.nan, [1.0, -np.inf], 3, [], 1j, np.inf * 1j)]
    )
    stage.say([inf(None, np.array(x)) for x in (b"a", [b"nan", b""], True, np.float16(np.inf))])
