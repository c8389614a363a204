"""The profiler: converted options, node statistics, merged logs, reports with each option."""

import importlib
import os
import sys
import zlib


class _Errors:
    """Context that records standard error as lines of a scene."""

    def __init__(self, stage):
        self._stage = stage

    def __enter__(self):
        self._before, sys.stderr = sys.stderr, self

    def __exit__(self, *error):
        sys.stderr = self._before

    def write(self, text):
        self._stage.say("stderr", text)

    def flush(self):
        pass


def _internal(tf, theirs, ours):
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.python." + theirs)
    return importlib.import_module("tfmini._src.train.profiler." + ours)


def _merge(tf):
    return _internal(tf, "profiler.tfprof_logger", "op_logs").merge_default_with_oplog


def _find(tf):
    return _internal(tf, "framework.ops", "node_statistics").get_stats_for_node_def


def _shown(options):
    return sorted(options.items())


def builders(tf, stage):
    B = tf.profiler.ProfileOptionBuilder
    stage.say(_shown(B().build()))
    stage.say(_shown(B.trainable_variables_parameter()))
    stage.say(_shown(B.float_operation()))
    stage.say(_shown(B.time_and_memory()))
    stage.say(_shown(B.time_and_memory(2, 3, 4, 5, 6, 7, 8)))
    for name, arguments in (
        ("with_max_depth", (3,)),
        ("with_min_memory", (1, 2, 3, 4)),
        ("with_min_memory", ()),
        ("with_min_execution_time", (1, 2, 3)),
        ("with_min_execution_time", ()),
        ("with_min_parameters", (5,)),
        ("with_min_occurrence", (6,)),
        ("with_min_float_operations", (7,)),
        ("with_accounted_types", (["a"],)),
        ("with_node_names", (["a"], ["b"], ["c"], ["d"])),
        ("with_node_names", ()),
        ("with_node_names", (None, None, ["h"])),
        ("account_displayed_op_only", (True,)),
        ("with_step", (8,)),
        ("with_empty_output", ()),
        ("with_stdout_output", ()),
        ("with_file_output", ("f",)),
        ("with_timeline_output", ("t",)),
        ("with_pprof_output", ("p",)),
        ("order_by", ("name",)),
        ("select", (["bytes", "params"],)),
    ):
        builder = B({"kept": 1, "output": "none"})
        stage.say(name, getattr(builder, name)(*arguments) is builder, _shown(builder.build()))
    given = {"select": ["params"]}
    builder = B(given)
    names = ["x"]
    builder.with_accounted_types(names).select(names).with_node_names(show_name_regexes=names)
    names.append("y")
    made = builder.build()
    made["select"].append("z")
    given["select"].append("w")
    stage.say(_shown(builder.build()), _shown(B(given).build()))


def numbers_of_types(tf, stage):
    ops, find = _internal(tf, "framework.ops", "op_statistics"), _find(tf)
    Stats = ops.OpStats
    one, two, none = Stats("flops", 1), Stats("flops", 2.5), Stats("flops")
    stage.say(one.statistic_type, one.value, none.value)
    one += two
    stage.say(one.value)
    one += none
    stage.say(one.value)
    none += two
    stage.say(none.value, two.value)
    with stage.failing():
        one += Stats("bytes", 1)
    R = ops.RegisterStatistics
    stage.attempts(
        lambda: R("A,B", "flops"),
        lambda: R("A", "flo,ps"),
        lambda: R(3, "flops"),
        lambda: R("A", 3),
        lambda: R("MatMul", "flops")(len),
    )
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    square = tf.square(x)

    def bytes_of(graph, node):
        return Stats("scene_bytes", len(node.name))

    stage.say(R("Square", "scene_bytes")(bytes_of) is bytes_of)
    stage.attempts(
        lambda: find(graph, square.op.node_def, "scene_bytes").value,
        lambda: find(graph, square.op.node_def, "flops").value,
        lambda: find(graph, x.op.node_def, "scene_bytes").value,
    )


def operations(tf, stage):
    """FLOP counts of nodes with unusual shapes and formats; errors."""
    find, raw = _find(tf), tf.raw_ops
    x = tf.ones([2, 5, 6, 4])
    unknown, some = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 4])
    window = {"ksize": [1, 2, 3, 1], "strides": [1, 2, 1, 1], "padding": "VALID"}
    first = tf.placeholder(tf.float32, [2, 4, 5, 6])
    image = {"strides": [1, 2, 1, 1], "padding": "SAME"}
    k = tf.ones([3, 2, 4, 5])
    y = tf.nn.conv2d(x, k, **image)
    cases = [
        tf.matmul(tf.ones([3, 2]), tf.ones([2, 5])),
        tf.matmul(tf.ones([2, 3]), tf.ones([5, 2]), transpose_a=True, transpose_b=True),
        tf.matmul(tf.ones([7, 3, 2]), tf.ones([7, 2, 5])),
        tf.matmul(tf.ones([7, 2, 3]), tf.ones([7, 2, 5]), adjoint_a=True),
        raw.BatchMatMul(x=tf.ones([7, 3, 2]), y=tf.ones([7, 2, 5])),
        raw.BatchMatMul(x=tf.ones([7, 2, 3]), y=tf.ones([7, 2, 5]), adj_x=True),
        tf.matmul(some, tf.ones([4, 2])),
        tf.matmul(unknown, unknown),
        y,
        raw.Conv2DBackpropInput(
            input_sizes=[2, 5, 6, 4], filter=k, out_backprop=tf.ones([2, 3, 6, 5]), **image
        ),
        raw.Conv2DBackpropFilter(
            input=x, filter_sizes=[3, 2, 4, 5], out_backprop=tf.ones([2, 3, 6, 5]), **image
        ),
        tf.nn.max_pool(x, **window),
        tf.nn.avg_pool(x, **window),
        raw.MaxPoolGrad(
            orig_input=x, orig_output=tf.ones([2, 2, 4, 4]), grad=tf.ones([2, 2, 4, 4]), **window
        ),
        raw.AvgPoolGrad(orig_input_shape=[2, 5, 6, 4], grad=tf.ones([2, 2, 4, 4]), **window),
        tf.nn.avg_pool(
            first, data_format="NCHW", ksize=[1, 1, 2, 2], strides=[1] * 4, padding="SAME"
        ),
        raw.MaxPoolGrad(
            orig_input=first,
            orig_output=first,
            grad=first,
            data_format="NCHW",
            ksize=[1] * 4,
            strides=[1] * 4,
            padding="SAME",
        ),
        raw.AvgPoolGrad(
            orig_input_shape=[2, 4, 5, 6],
            grad=first,
            data_format="NCHW",
            ksize=[1] * 4,
            strides=[1] * 4,
            padding="SAME",
        ),
        tf.nn.conv2d(first, k, data_format="NCHW", strides=[1] * 4, padding="SAME"),
        tf.nn.depthwise_conv2d(x, tf.ones([3, 2, 4, 2]), **image),
        tf.nn.bias_add(x, tf.ones([4])),
        raw.BiasAddGrad(out_backprop=x),
        tf.add_n([x, x]),
        tf.add_n([x]),
        tf.add_n([some, some]),
        tf.reduce_sum(x),
        tf.reduce_sum(x, 1, keepdims=True),
        tf.reduce_mean(x, [1, 2]),
        tf.argmax(x, 0),
        tf.reduce_max(x),
        tf.nn.softmax(x),
        tf.nn.relu(x),
        tf.nn.l2_loss(some),
        raw.RsqrtGrad(y=x, dy=x),
        tf.math.rsqrt(tf.ones([])),
        x + 1.0,
        tf.ones([1, 6, 1]) * tf.ones([5, 1, 4]),
        tf.square(tf.ones([0, 3])),
        tf.exp(x),
        tf.sigmoid(x),
    ]

    def counted(op):
        value = find(op.graph, op.node_def, "flops").value
        return value if value is None else float(value)

    for tensor in cases:
        op = tensor.op
        stage.say(op.type)
        stage.attempt(counted, op)
    loss = tf.gradients(y, [x, k])
    for tensor in loss:
        stage.attempt(counted, tensor.op)


def _entries(log):
    found = []
    for entry in sorted(log.log_entries, key=lambda each: each.name):
        found.append(
            (entry.name, entry.float_ops, list(entry.types), len(entry.code_def.traces) > 0)
        )
    return found


def logs_that_are_merged(tf, stage):
    merge = _merge(tf)
    v = tf.get_variable("v", [2, 3])
    y = tf.matmul(v, tf.ones([3, 4]), name="y")
    tf.square(tf.placeholder(tf.float32, [None, 2], name="x"), name="late")
    tf.get_variable("fixed", [], trainable=False)
    graph = y.graph
    with _Errors(stage):
        stage.say(_entries(merge(graph, add_trace=False)))
        stage.say(_entries(merge(None, add_trace=False, add_trainable_var=False)))
        log = merge(graph)
        stage.say(_entries(log), log.id_to_string[0])
        numbers = sorted(log.id_to_string)
        stage.say(numbers == list(range(len(numbers))))
        traces = {entry.name: entry.code_def.traces for entry in log.log_entries}
        last = traces["v"][-1]
        names = [log.id_to_string[n] for n in (last.function_id, last.line_id)]
        stage.say(len(traces), bool(names[0]), last.lineno > 0, last.func_start_line > 0)
    given = tf.profiler.OpLogProto()
    given.log_entries.add(name="y", float_ops=5, types=["mine"])
    given.log_entries.add(name="v", types=["own", "more"])
    given.log_entries.add(name="elsewhere", float_ops=7)
    given.log_entries.add(name="late").code_def.traces.add(file="f", lineno=3)
    with _Errors(stage):
        log = merge(graph, given)
        stage.say(_entries(log))
        found = [e for e in log.log_entries if e.name == "late"]
        stage.say(len(found), found[0].code_def.traces[0].file, len(found[0].code_def.traces))
        metadata = tf.RunMetadata()
        device = metadata.step_stats.dev_stats.add(device="/cpu:0")
        for name, dims in (("x", [5, 2]), ("late", [5, 2]), ("none", [1]), ("y", [2, 4])):
            node = device.node_stats.add(node_name=name)
            shape = node.output.add().tensor_description.shape
            for size in dims:
                shape.dim.add(size=size)
        device.node_stats.add(node_name="x")
        stage.say(_entries(merge(graph, None, metadata, add_trace=False)))
        stage.say(graph.get_tensor_by_name("x:0").shape)
        tf.square(tf.placeholder(tf.float32, [None, 3], name="odd"), name="end")
        device.node_stats[0].node_name = "odd"
        merge(graph, None, metadata, add_trace=False)
        stage.say(graph.get_tensor_by_name("odd:0").shape)


def _times(tf, rows):
    made = tf.RunMetadata()
    devices = {}
    for device, name, micros, size in rows:
        if device not in devices:
            place = f"/job:localhost/replica:0/task:0/device:{device}"
            devices[device] = made.step_stats.dev_stats.add(device=place)
        node = devices[device].node_stats.add(node_name=name, timeline_label=name + " = Op()")
        node.all_start_micros = 1000
        node.op_end_rel_micros = node.all_end_rel_micros = micros
        memory = node.memory.add(allocator_name="cpu", total_bytes=size, peak_bytes=2 * size)
        memory.live_bytes = size // 2
        output = node.output.add().tensor_description
        output.shape.dim.add(size=size // 4)
        output.allocation_description.requested_bytes = 3 * size
        output.allocation_description.allocated_bytes = 3 * size
        output.allocation_description.allocator_name = "cpu"
        output.allocation_description.ptr = 8 * len(name)
    return made


def _model(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    with tf.variable_scope("a"):
        y = tf.matmul(x, tf.get_variable("w", [3, 5]), name="y")
        with tf.variable_scope("b"):
            tf.nn.bias_add(y, tf.get_variable("v", [5]), name="z")
    with tf.name_scope("c"):
        return tf.square(tf.reduce_sum(y, name="s"), name="q")


_ROWS = [
    ("CPU:0", "a/y", 1500, 80),
    ("CPU:0", "a/b/z", 20, 4000),
    ("CPU:0", "c/s", 70000000, 40),
    ("CPU:0", "c/q", 3, 5000000),
    ("CPU:1", "a/w/read", 999, 60),
    ("GPU:0", "a/w", 4000000000, 7000000000),
]


def _shortly(stage, lines):
    """Records the first lines, and a checksum of all."""
    for line in lines[:5]:
        stage.say("|", line)
    stage.say(len(lines), zlib.crc32("\n".join(lines).encode()))


def _reported(tf, stage, cases):
    graph = _model(tf).graph
    B = tf.profiler.ProfileOptionBuilder
    path = stage.folder + "/report"
    every = B.time_and_memory(min_micros=0, min_bytes=0)
    times = _times(tf, _ROWS)
    for view, change in cases:
        options = change(B(every)).with_file_output(path).build()
        stage.say(view, options["select"], options["order_by"])
        with stage.failing():
            made = tf.profiler.profile(graph, times, None, view, options)
            with open(path) as file:
                lines = [line.rstrip() for line in file.read().split("\n")]
            stage.say(lines[0], lines[3:5])
            _shortly(stage, lines[lines.index("Profile:") + 1 :])
            stage.say(zlib.crc32("\n".join(lines).encode()), len(made.SerializeToString()))


def reports_of_kinds(tf, stage):
    cases = [
        ("op", lambda b: b.select(["micros"]).order_by("micros").with_max_depth(2)),
        ("op", lambda b: b.select(["micros"]).with_node_names(hide_name_regexes=["MatMul"])),
        ("op", lambda b: b.order_by("micros").with_node_names(start_name_regexes=["MatMul"])),
        ("op", lambda b: b.order_by("micros").with_node_names(trim_name_regexes=["Sum", "MatMul"])),
        (
            "op",
            lambda b: b.select(["float_ops"]).order_by("float_ops").with_min_float_operations(1),
        ),
        ("op", lambda b: b.select(["params"]).with_accounted_types(["VariableV2"])),
        ("op", lambda b: b.select(["micros"]).account_displayed_op_only(False).order_by("micros")),
    ]
    _reported(tf, stage, cases)


def contexts(tf, stage):
    Context = tf.contrib.tfprof.ProfileContext
    stage.attempts(
        lambda: Context(""),
        lambda: Context(stage.folder, trace_steps=range(101)),
        lambda: Context(stage.folder, range(100), []).get_profiles("op"),
        lambda: Context("", enabled=False).profiler,
        lambda: Context("", enabled=False).trace_next_step(),
        lambda: Context("", enabled=False).dump_next_step(),
        lambda: Context("", enabled=False).add_auto_profiling("op", {}, [1]),
    )
    x = tf.constant(1.0, name="x") + 1.0
    folder = os.path.join(stage.folder, "made")
    with tf.Session() as session:
        with Context(folder, trace_steps=[], dump_steps=[1]) as context:
            stage.say(type(context).__name__, type(context.profiler).__name__)
            for _ in range(3):
                stage.say(session.run(x))
            stage.say(context.profiler is context.profiler)
        stage.files(folder)
        with Context(folder, trace_steps=[0, 2], dump_steps=[]) as context:
            options = tf.profiler.ProfileOptionBuilder(
                tf.profiler.ProfileOptionBuilder.time_and_memory()
            )
            quiet = options.with_empty_output().build()
            context.add_auto_profiling("scope", quiet, [1, 2])
            context.add_auto_profiling("op", quiet, [2])
            for _ in range(4):
                session.run(x)
            stage.say(sorted(context.get_profiles("scope")), sorted(context.get_profiles("op")))
            stage.attempt(context.get_profiles, "graph")
        stage.files(folder)
        stage.say(session.run(x))
