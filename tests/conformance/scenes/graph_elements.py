"""All attributes and errors of operations and tensors, IndexedSlices and sparse tensors."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import numpy as np


def _text(value):
    return " ".join(str(value).split())


def operations(tf, stage):
    graph = tf.get_default_graph()
    with tf.device("/cpu:0"), tf.container("box"):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        v = tf.Variable([[1.0, 2.0]], name="v")
    with tf.control_dependencies([x]):
        y = tf.matmul(x, v, transpose_b=True, name="y")
    parts = tf.split(x, 2, axis=1, name="parts")
    with tf.colocate_with(v):
        z = tf.concat([parts[0], y], 1, name="z")
    g = tf.group(z, parts[1], name="g")
    s = tf.constant(["a", "b"], name="s")
    e = tf.raw_ops.Empty(shape=[0], dtype=tf.int32, name="e")
    for op in (x.op, v.op, y.op, parts[0].op, z.op, g, s.op, e.op, v.initializer):
        stage.say(op.name, op.type, repr(op), op.device, op.graph is graph)
        stage.say([t.name for t in op.inputs], [t.name for t in op.outputs], len(op.inputs))
        stage.say([c.name for c in op.control_inputs], [c.name for c in op._control_outputs])
        stage.say(sorted(op.colocation_groups()), [t.name for t in op.values()])
        stage.say(_text(op.node_def), len(op.node_def.SerializeToString()))
        stage.say(_text(op), op.op_def.name, [a.name for a in op.op_def.attr])
        stage.say(op.node_def == op.node_def, op.node_def is op.node_def, hash(op) == hash(op))
        for name in ("T", "dtype", "shape", "_class", "container", "value", "num_split", "missing"):
            with stage.failing():
                stage.say(name, type(op.get_attr(name)).__name__, _text(op.get_attr(name)))
    stage.attempts(
        lambda: y.op._set_device(tf.DeviceSpec(job="a")) or y.op.device,
        lambda: len(y.op.traceback_with_start_lines) == len(y.op.traceback),
    )
    for kind, value in (
        *(
            ("s", b"text"),
            ("i", 2**40),
            ("f", 0.5),
            ("b", True),
            ("type", tf.int64.as_datatype_enum),
        ),
        *(("shape", tf.TensorShape([1, None]).as_proto()), ("tensor", tf.make_tensor_proto([1.5]))),
    ):
        g._set_attr("_" + kind, tf.AttrValue(**{kind: value}))
        with stage.failing():
            stage.say(kind, type(g.get_attr("_" + kind)).__name__, _text(g.get_attr("_" + kind)))
    for values in ({"i": [1, 2]}, {"s": [b"a"]}, {"f": [0.5]}, {"b": [True]}, {"type": [1]}, {}):
        g._set_attr("_list", tf.AttrValue(list=tf.AttrValue.ListValue(**values)))
        stage.attempt(g.get_attr, "_list")
    g._set_attr("_shapes", tf.AttrValue(list={"shape": [tf.TensorShape([2]).as_proto()]}))
    g._set_attr("_func", tf.AttrValue(func={"name": "f", "attr": {"a": tf.AttrValue(i=1)}}))
    stage.say(_text(g.node_def))


def slices_and_sparse_tensors(tf, stage):
    values, indices = tf.ones([2, 3], name="values"), tf.constant([1, 4], name="indices")
    shape = tf.constant([5, 3], name="shape")
    whole, bare = tf.IndexedSlices(values, indices, shape), tf.IndexedSlices(values, indices)
    for made in (whole, bare):
        stage.say(str(made), made.name, made.op.name, made.device, made.dtype)
        stage.say(made.graph is values.graph, made.dense_shape is shape, made._type_spec)
        stage.attempts(
            lambda: sorted(c.name for c in made.consumers()),
            lambda: (-made).values.name,
            lambda: (-made).dense_shape,
            lambda: made + 1.0,
            lambda: tf.convert_to_tensor(made).name,
            lambda: tf.convert_to_tensor(made, tf.float64),
            lambda: len(made),
        )
    sparse = tf.SparseTensor([[0, 1], [2, 3]], tf.constant([1.0, 2.0], name="w"), [3, 4])
    free = tf.sparse_placeholder(tf.int32, name="free")
    placed = tf.sparse_placeholder(tf.int32, [None, 2], name="placed")
    for made in (sparse, free, placed):
        stage.say(str(made), made.dtype, made.shape, made.get_shape(), made.op.name)
        stage.say(made.graph is values.graph, made._type_spec, made.dense_shape.shape)
        stage.say(made.indices.shape, made.values.shape, [c.name for c in made.consumers()])
        stage.attempts(
            lambda: len(made),
            lambda: made + made,
            lambda: -made,
            lambda: tf.convert_to_tensor(made),
            lambda: bool(made),
        )
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([5.0]), np.array([2, 2]))
    stage.attempts(
        lambda: tf.SparseTensor.from_value(3), lambda: tf.SparseTensor([[0]], [[1.0]], [2])
    )
    with tf.Session() as session:
        stage.say(session.run(whole), session.run(bare))
        stage.attempt(session.run, free, {free: ([[0, 1]], [1], [2, 2])})
        stage.attempt(session.run, free, {free: value})
        stage.attempt(session.run, placed, {placed: ([[0, 1]], [1], [2, 2])})
        stage.attempt(session.run, placed, {placed: ([[0, 1]], [1], [2, 3])})
        stage.attempt(session.run, whole, {whole: (np.zeros([1, 3]), [0], [5, 3])})
        stage.attempt(session.run, bare, {bare: (np.zeros([1, 3]), [0])})
