"""A graph, options and step times for the profiler; run as a module it records TensorFlow's."""

import contextlib
import importlib
import io
import os
import sys
import tempfile

from tests.support import goldens

FILE = goldens.golden_path("profiles.json.xz")
OPS = "tensorflow.python.framework.ops"
NAMES = ["bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros", "accelerator_micros"]
NAMES += ["cpu_micros", "params", "float_ops", "occurrence", "device", "op_types", "input_shapes"]


def build(tf):
    x = tf.placeholder(tf.float32, [4, 8, 8, 3], name="x")
    with tf.variable_scope("layer"):
        k = tf.get_variable("k", [3, 3, 3, 6])
        c = tf.nn.conv2d(x, k, [1, 1, 1, 1], "SAME", name="conv")
        b = tf.get_variable("b", [6])
        h = tf.nn.relu(tf.nn.bias_add(c, b), name="h")
        p = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name="p")
    with tf.variable_scope("out"):
        w = tf.get_variable("w", [96, 10])
        y = tf.matmul(tf.reshape(p, [4, 96]), w, name="y")
    loss = tf.reduce_mean(tf.square(tf.nn.softmax(y)), name="loss")
    tf.Variable(3, trainable=False, name="count")
    tf.multiply(tf.placeholder(tf.float32, [None], name="unknown"), 2.0, name="unknown_twice")
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def metadata(tf):
    """Step times for the graph's names: two devices, several runs of a node, memory."""
    created = tf.RunMetadata()
    cpu = created.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
    gpu = created.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:GPU:0")
    rows = [
        (cpu, "layer/k", 3, 648, "layer/k = VariableV2()"),
        (cpu, "out/y", 1500, 160, "out/y = MatMul(out/Reshape, out/w/read)"),
        (cpu, "out/y", 20, 160, "out/y = MatMul(out/Reshape, out/w/read)"),
        (cpu, "gradients/out/y_grad/MatMul_1", 31, 3840, "g = MatMul(a, b)"),
        (cpu, "loss", 0, 4, "loss = Mean(Square, Const)"),
        (gpu, "layer/conv", 2500000, 6144, "layer/conv = Conv2D(x, layer/k/read)"),
        (gpu, "layer/h", 12, 0, "layer/h = Relu(layer/BiasAdd)"),
    ]
    for index, (device, name, micros, size, label) in enumerate(rows):
        node = device.node_stats.add(node_name=name, timeline_label=label)
        node.all_start_micros = 1000000 + index
        node.op_end_rel_micros = node.all_end_rel_micros = micros
        if size:
            memory = node.memory.add(allocator_name="cpu", total_bytes=size, peak_bytes=size)
            memory.live_bytes = size
            output = node.output.add().tensor_description
            output.dtype = tf.float32.as_datatype_enum
            output.shape.dim.add(size=size // 4)
            output.allocation_description.requested_bytes = size
            output.allocation_description.allocated_bytes = size
            output.allocation_description.allocator_name = "cpu"
            output.allocation_description.ptr = 1000 * index + 8
    return created


def cases(tf):
    """(name, view, whether with times, options)."""
    builder = tf.profiler.ProfileOptionBuilder
    shown, least = builder.time_and_memory(), builder.float_operation()
    every = builder.time_and_memory(min_micros=0, min_bytes=0)
    yield "parameters", "scope", False, builder.trainable_variables_parameter()
    yield "operations", "scope", False, builder.float_operation()
    yield "kinds", "op", False, builder(least).with_min_float_operations(250).build()
    yield "times", "scope", True, shown
    yield "times of kinds", "op", True, shown
    yield "all", "scope", True, builder(every).select(NAMES).build()
    few = [name for name in NAMES if name != "input_shapes"]
    yield "all of kinds", "op", True, builder(shown).select(few).order_by("micros").build()
    yield "on a card", "scope", True, builder(shown).with_accounted_types([".*gpu:0.*"]).build()
    hidden = builder(shown).with_node_names(
        start_name_regexes=["layer.*"], hide_name_regexes=["layer/conv"], trim_name_regexes=["out"]
    )
    yield "names", "scope", True, hidden.build()
    whole = builder(shown).account_displayed_op_only(False).with_max_depth(2).order_by("bytes")
    yield "not deep", "scope", True, whole.build()
    least = builder().with_min_parameters(100).with_min_occurrence(1).select(["params"])
    yield "least parameters", "scope", False, least.build()
    yield "default", "scope", False, 0
    yield "graph", "graph", True, shown
    yield "all of a graph", "graph", True, builder(every).select(NAMES).build()
    yield "parameters in a graph", "graph", False, builder.trainable_variables_parameter()
    yield "names in a graph", "graph", True, hidden.build()
    yield "not deep in a graph", "graph", True, whole.build()
    yield "code", "code", True, shown
    yield "all of code", "code", True, builder(every).select(NAMES).build()
    yield "parameters of code", "code", False, builder.trainable_variables_parameter()
    lines = builder(shown).with_node_names(
        start_name_regexes=["model.py:.*"], hide_name_regexes=[".*:layer"]
    )
    yield "names of code", "code", True, lines.build()
    yield "card and code", "code", True, builder(shown).with_accounted_types([".*gpu:0.*"]).build()
    yield "not deep in code", "code", True, builder(shown).with_max_depth(3).build()


def lines_of(tf, graph):
    """Source lines of nodes, in a nonexistent program."""
    log = tf.profiler.OpLogProto()
    for op in graph.get_operations():
        entry = log.log_entries.add(name=op.name)
        calls = [("main.py", 3, "main")]
        if op.name.startswith("layer"):
            calls += [("model.py", 10, "layer"), ("model.py", 20 + len(op.name) % 3, "a" * 30)]
        elif op.name.startswith("out"):
            calls += [("model.py", 12, "layer")]
        for file, line, function in calls:
            entry.code_def.traces.add(file="/x/" + file, lineno=line, function=function)
    return log


def profiles(tf):
    created = {}
    graph = tf.Graph()
    with graph.as_default():
        build(tf)
    for name, view, timed, options in cases(tf):
        times = metadata(tf) if timed else None
        log = lines_of(tf, graph) if view == "code" else None
        text, result = printed(tf.profiler.profile, graph, times, log, view, options)
        created[name] = [text, str(result)]
    return created


def one_of_each(tf):
    """A node of each type with an operation count, and their gradients."""
    x = tf.placeholder(tf.float32, [2, 6, 6, 4], name="x")
    y = tf.placeholder(tf.float32, [6, 4], name="y")
    v = tf.get_variable("v", [5])
    unary = [tf.reciprocal, tf.square, tf.math.rsqrt, tf.math.log, tf.negative, tf.nn.l2_loss]
    result = [function(x) for function in unary + [tf.nn.softmax]]
    binary = [tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.pow]
    binary += [tf.greater_equal, tf.greater, tf.less_equal, tf.less, tf.not_equal]
    result += [function(x, y) for function in binary + [tf.squared_difference]]
    raw = tf.raw_ops
    result += [raw.Equal(x=x, y=x), raw.RsqrtGrad(y=y, dy=y), tf.add_n([x, x, x])]
    result += [tf.assign_add(v, v * 2.0), tf.assign_sub(v, v * 2.0)]
    result += [tf.reduce_mean(x, 1), tf.reduce_sum(x, [0, 2]), tf.argmax(x, 1), tf.argmin(x, 3)]
    window = {"ksize": [1, 2, 3, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    result += [tf.nn.avg_pool(x, **window), tf.nn.max_pool(x, **window)]
    image = {"strides": [1, 2, 2, 1], "padding": "SAME"}
    result += [tf.nn.conv2d(x, tf.ones([3, 3, 4, 5]), **image)]
    result += [tf.nn.depthwise_conv2d(x, tf.ones([3, 3, 4, 2]), **image)]
    result += [tf.nn.conv3d(tf.ones([1, 4, 4, 4, 2]), tf.ones([2, 2, 2, 2, 3]), [1] * 5, "VALID")]
    result += [
        tf.nn.bias_add(x, tf.ones([4])),
        tf.matmul(y, y, transpose_a=True),
        tf.matmul(x, x, transpose_b=True),
    ]
    result += [raw.Dilation2D(input=x, filter=tf.ones([2, 2, 4]), rates=[1, 1, 1, 1], **image)]
    result += [tf.nn.conv2d(tf.placeholder(tf.float32), tf.ones([3, 3, 4, 5]), **image)]
    result += [tf.nn.max_pool(tf.transpose(x, [0, 3, 1, 2]), data_format="NCHW", **window)]
    tf.gradients([value for value in result if value.dtype == tf.float32], [x, y])


def counts(tf):
    """Each node's operation count, None if its shapes do not determine it."""
    from_graph = {}
    graph = tf.Graph()
    with graph.as_default():
        one_of_each(tf)
    module = "tfmini._src.train.profiler.node_statistics" if tf.__name__ == "tfmini" else OPS
    ops = importlib.import_module(module)
    for op in graph.get_operations():
        try:
            result = ops.get_stats_for_node_def(graph, op.node_def, "flops").value
        except ValueError:
            result = "unknown"
        if result is not None:
            from_graph[op.name] = result if result == "unknown" else int(result)
    return from_graph


def read_counts():
    return read_all()["counts"]


def printed(function, *arguments):
    """A function's output, from Python and native code, and its result."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file, contextlib.redirect_stdout(io.StringIO()) as text:
        retained = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            result = function(*arguments)
        finally:
            os.dup2(retained, 1)
            os.close(retained)
        file.seek(0)
        return text.getvalue() + file.read().decode(), result


def read_all():
    return goldens.read(FILE)


def read():
    return read_all()["profiles"]


if __name__ == "__main__":
    import tensorflow

    recorded = {"profiles": profiles(tensorflow), "counts": counts(tensorflow)}
    goldens.write(FILE, recorded, sort_keys=True)
