"""Graphs of many kinds, and mutations of their nodes, inputs, ops, devices, attributes, tensors and functions."""

from __future__ import annotations

import numpy as np

import tfmini as tf
from tests.conformance.damaged_files import EXTREMES, damaged_message
from tfmini._src.base import proto
from tfmini._src.functions.defun import Defun

DTYPES = sorted(set(proto.DataType.values()) - {0})


def networks():
    """A training step with ref and resource variables."""
    x = tf.placeholder(tf.float32, [None, 4, 4, 1], "x")
    images = tf.nn.conv2d(x, tf.Variable(tf.ones([2, 2, 1, 3])), 1, "SAME")
    flat = tf.reshape(tf.nn.max_pool(images, 2, 2, "VALID"), [-1, 12])
    kernel = tf.get_variable("kernel", [12, 2], use_resource=True)
    logits = tf.nn.bias_add(tf.matmul(flat, kernel), tf.Variable([0.0, 1.0]))
    labels = tf.constant([1, 0])
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    return (
        [loss.name],
        [tf.global_variables_initializer().name, train.name],
        {"x:0": np.ones([2, 4, 4, 1], "f")},
    )


def control_flow():
    x = tf.placeholder(tf.float32, [2], "x")
    loop = tf.while_loop(lambda i, _: i < 5, lambda i, y: (i + 1, y * 2.0), [0, x])[1]
    either = tf.cond(x[0] > 1.0, lambda: tf.reduce_sum(x), lambda: x[1] - 1.0)
    pieces = tf.TensorArray(tf.float32, 2).unstack(x).stack()
    return [loop.name, either.name, pieces.name], [], {"x:0": np.ones(2, "f")}


def functions():
    @Defun(tf.float32)
    def inner(x):
        return x * 2.0 + 1.0

    @Defun(tf.float32)
    def outer(x):
        return inner(inner(x))

    x = tf.placeholder(tf.float32, [3], "x")
    mapped = tf.map_fn(lambda v: v + 1.0, x)
    return [outer(x).name, mapped.name], [], {"x:0": np.ones(3, "f")}


def arrays():
    x = tf.placeholder(tf.int32, [2, 3], "x")
    parts = tf.split(x, 3, 1)
    joined = tf.concat([*parts, tf.gather(x, [2, 0], axis=1)], 1)
    sliced = tf.strided_slice(joined, [0, 1], [2, 4], [1, 2])
    padded = tf.pad(tf.transpose(sliced), [[1, 1], [0, 0]])
    sums = tf.unsorted_segment_sum(tf.reshape(x, [-1]), [0, 1, 0, 1, 2, 2], 3)
    hot = tf.one_hot(tf.constant([0, 2]), 3)
    sparse = tf.sparse_tensor_to_dense(tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2]))
    words = tf.string_join([tf.as_string(x), tf.constant("a")])
    result = (
        padded,
        sums,
        hot,
        sparse,
        words,
        tf.tile(x, [2, 1]),
        tf.cumsum(x, 1),
        tf.unique(x[0]).y,
    )
    return [each.name for each in result], [], {"x:0": np.arange(6, dtype="i").reshape(2, 3)}


def inputs():
    queue = tf.FIFOQueue(1_000_000, [tf.float32, tf.string], shapes=[[2], []])
    put = queue.enqueue([[1.0, 2.0], "a"])
    row = (
        tf.data.Dataset.range(6)
        .map(lambda v: v * 2)
        .repeat()
        .batch(2)
        .make_one_shot_iterator()
        .get_next()
    )
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64)), -1
    )
    parsed = tf.parse_example([b""], {"a": tf.FixedLenFeature([2], tf.float32, [0.0, 1.0])})["a"]
    decoded = tf.decode_raw(tf.constant(["ab", "cd"]), tf.uint8)
    counted = queue.size()
    names = [
        row.name,
        parsed.name,
        decoded.name,
        counted.name,
        table.lookup(tf.constant(["a"])).name,
    ]
    return names, [table.initializer.name, put.name], {}


def several_devices():
    with tf.device("/job:ps/task:0"):
        v = tf.Variable([1.0, 2.0], name="v")
    with tf.device("/job:worker/task:0"):
        x = tf.placeholder(tf.float32, [2], "x")
        product = v * x
    with tf.device("/job:ps/task:0/device:CPU:0"):
        update = v.assign_add(product)
    return [product.name], [v.initializer.name, update.op.name], {"x:0": np.ones(2, "f")}


GRAPHS = (networks, control_flow, functions, arrays, inputs, several_devices)


def _node(graph, rng):
    """A random node of a graph or of its functions."""
    lists = [graph.node, *(f.node_def for f in graph.library.function)]
    return rng.choice(rng.choices(lists, [len(nodes) for nodes in lists])[0])


def _another_input(graph, rng):
    """Rewires an input to another node: a later one (a cycle), the node itself, or a missing one."""
    node = _node(graph, rng)
    other = rng.choice(
        [
            *(_node(graph, rng).name,) * 4,
            *("nothing", node.name, "", "^", ":", "a:b:c", "^^x"),
        ]
    )
    text = rng.choice(
        ["{}", "{}", "{}:1", "{}:77", "^{}", "{}:-1", "{}:99999999999999999999", "{}:x"]
    )
    text = text.format(other)
    if node.input and rng.random() < 0.7:
        node.input[rng.randrange(len(node.input))] = text
    else:
        node.input.append(text)


def _another_order(graph, rng):
    node = _node(graph, rng)
    inputs = list(node.input)
    rng.shuffle(inputs)
    node.input[:] = inputs[: rng.randrange(len(inputs) + 1)]


def _missing_node(graph, rng):
    for _ in range(rng.choice([1, 1, 3])):
        if graph.node:
            del graph.node[rng.randrange(len(graph.node))]


def _second_node(graph, rng):
    node = graph.node.add()
    node.CopyFrom(_node(graph, rng))
    node.name = rng.choice([node.name, node.name, "", "_", "a b", "x" * 100_000, "é"])


def _another_op(graph, rng):
    names = [
        "Nothing",
        "",
        "NoOp",
        "Placeholder",
        "Enter",
        "Exit",
        "NextIteration",
        "Switch",
        "Merge",
        "LoopCond",
    ]
    names += [
        "_Send",
        "_Recv",
        "While",
        "If",
        "PartitionedCall",
        "VarHandleOp",
        "_Retval",
        "_Arg",
        "QueueDequeueV2",
    ]
    node = _node(graph, rng)
    node.op = rng.choice([*names, _node(graph, rng).op])


def _another_device(graph, rng):
    names = [
        "/job:ps/task:7",
        "/job:nothing/task:0",
        "/device:GPU:0",
        "/device:TPU:0",
        "nonsense",
        "/job:",
        "/cpu:9",
    ]
    names += [
        "/job:worker/replica:3/task:0",
        "/task:-1",
        "/job:worker/task:99999999999999999999",
        "/",
        "//",
        "é",
    ]
    _node(graph, rng).device = rng.choice(names)


def _another_attr(graph, rng):
    """Replaces an attribute by one of another kind or node, or out of range; removes one; or adds one."""
    node = _node(graph, rng)
    if not node.attr or rng.random() < 0.1:
        name = rng.choice(["T", "_class", "shape", "N", "_output_shapes", "body"])
    else:
        name = rng.choice(sorted(node.attr))
    value = node.attr[name]
    kind = rng.randrange(9)
    if kind == 0:
        del node.attr[name]
    elif kind == 1:
        value.type = rng.choice(DTYPES)
    elif kind == 2:
        value.i = rng.choice([*EXTREMES, 1 << 40, -(1 << 62)])
    elif kind == 3:
        value.s = rng.choice([b"", b"\xff", b"nothing", b"loc:@nothing"])
    elif kind == 4:
        value.func.name = rng.choice(
            ["nothing", *(f.signature.name for f in graph.library.function)]
        )
    elif kind == 5:
        value.shape.Clear()
        for _ in range(rng.randrange(4)):
            value.shape.dim.add(size=rng.choice([*EXTREMES, 1 << 40, (1 << 63) - 1]))
    elif kind == 6:
        other = _node(graph, rng)
        if other.attr:
            value.CopyFrom(other.attr[rng.choice(sorted(other.attr))])
    elif kind == 7:
        getattr(value.list, rng.choice(["i", "type"])).extend([1] * rng.choice([1, 300]))
    else:
        damage_tensor(value.tensor, rng)


def _constant(graph, rng):
    nodes = [node for node in graph.node if node.op == "Const"]
    if nodes:
        damage_tensor(rng.choice(nodes).attr["value"].tensor, rng)


def _function(graph, rng):
    """Damages a function's signature, results or calls."""
    if not graph.library.function:
        return _another_op(graph, rng)
    function = rng.choice(graph.library.function)
    kind = rng.randrange(5)
    if kind == 0:
        function.signature.name = rng.choice(["", "other", "Add"])
    elif kind == 1:
        del function.signature.input_arg[:]
    elif kind == 2:
        function.ret[rng.choice(["y", *sorted(function.ret)])] = rng.choice(
            ["nothing:z:0", "", "x", "mul:z:9"]
        )
    elif kind == 3:
        graph.library.function.add().CopyFrom(function)
    else:
        for node in function.node_def:
            node.op = function.signature.name
    return None


def damage_tensor(tensor, rng):
    """Makes a tensor's shape, dtype and content inconsistent."""
    kind = rng.randrange(9)
    if kind > 6:  # valid in itself, but for another purpose
        shape = rng.choice([[], [2], [3], [1, 2], [0], [2, 3, 1, 1], [5, 5, 5, 5]])
        dtype = rng.choice([tf.float32, tf.int32, tf.int64, tf.string, tf.bool])
        ones = np.full(shape, b"a" if dtype == tf.string else 1, dtype.as_numpy_dtype)
        tensor.CopyFrom(tf.make_tensor_proto(ones, dtype))
    elif kind == 0:
        tensor.dtype = rng.choice([*DTYPES, 0, 77])
    elif kind == 1:
        tensor.tensor_shape.dim.add(size=rng.choice([*EXTREMES, 1 << 40, (1 << 63) - 1]))
    elif kind == 2 and tensor.tensor_shape.dim:
        dim = rng.choice(tensor.tensor_shape.dim)
        dim.size = rng.choice([*EXTREMES, 1 << 40, (1 << 63) - 1])
    elif kind == 3:
        tensor.tensor_content = tensor.tensor_content[: rng.randrange(8)] or b"\1"
    elif kind == 4:
        tensor.tensor_shape.unknown_rank = True
    elif kind == 5:
        rng.choice([tensor.float_val, tensor.double_val]).extend([1.0] * rng.choice([1, 5000]))
    else:
        rng.choice([tensor.int_val, tensor.int64_val, tensor.half_val]).extend([70000] * 3)


CHANGES = (
    *(_another_input, _another_order, _missing_node, _second_node, _another_op, _another_device),
    *(_another_attr, _another_attr, _another_attr, _constant, _function),
)
by_fields = damaged_message(proto.GraphDef)


def damage_graph(graph, rng):
    """Damages a GraphDef in one or two places; returns it."""
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.25 and graph.node:
            graph = proto.GraphDef.FromString(by_fields(graph.SerializeToString(), rng))
        elif graph.node:
            rng.choice(CHANGES)(graph, rng)
    return graph


def built(make):
    """The GraphDef of one of `GRAPHS`, with its step's fetches, targets, and feeds by name."""
    with tf.Graph().as_default() as graph:
        fetches, targets, feeds = make()
    return graph.as_graph_def(), fetches, targets, feeds
