"""Each method of each kind of variable: float64 and integers, with lists, tensors, slices, and errors."""

from tests.conformance.scenes import eager_mode


def _calls(tf, v, other):
    slices = tf.IndexedSlices(tf.constant([5, 7], v.dtype.base_dtype), [1, 1])
    yield from {
        "assign_sub_no_read": lambda: v.assign_sub([1, 0, 0], read_value=False),
        "scatter_no_slices": lambda: v.scatter_add([1]),
        "batch_scatter_update": lambda: v.batch_scatter_update(slices),
        "scatter_nd_add": lambda: v.scatter_nd_add([[0], [2]], tf.cast([1, 2], v.dtype.base_dtype)),
        "scatter_nd_sub": lambda: v.scatter_nd_sub([[0], [0]], tf.cast([1, 2], v.dtype.base_dtype)),
        "sparse_read": lambda: v.sparse_read([2, 0]),
        "gather_nd": lambda: v.gather_nd([[2], [0]]),
        "count_up_to": lambda: v.count_up_to(3),
        "getitem": lambda: v[1:],
        "item_assign_named": lambda: v[::2].assign(
            tf.cast([6, 6], v.dtype.base_dtype), name="part"
        ),
        "sum": lambda: v + [1, 1, 1],
        "product": lambda: 2 * v,
        "quotient": lambda: v / 2,
        "power": lambda: v**2,
        "negative": lambda: -v,
        "less": lambda: v < 3,
        "matmul": lambda: v @ v,
        "remainder": lambda: 7 % v,
    }.items()


def _told(x):
    if x is None or isinstance(x, (bool, str)):
        return x
    node = getattr(x, "op", x)
    if not hasattr(node, "outputs"):
        return type(node).__name__.lstrip("_")
    return [node.type, node.name, *(f"{o.dtype.name} {o.shape}" for o in node.outputs)]


def in_graphs(tf, stage):
    for resource in (False, True):
        for dtype in (tf.float64, tf.int64):
            with tf.Graph().as_default(), tf.Session() as session:
                v = tf.Variable([1, 2, 3], dtype=dtype, use_resource=resource, name="v")
                other = tf.Variable([4, 5, 6], dtype=dtype, use_resource=not resource, name="o")
                session.run(tf.global_variables_initializer())
                for name, call in _calls(tf, v, other):
                    stage.say(name)
                    with stage.failing():
                        made = call()
                        stage.say(_told(made))
                        stage.say(session.run(made), session.run(v))
                for name in (
                    *(
                        "name",
                        "dtype",
                        "shape",
                        "device",
                        "trainable",
                        "constraint",
                        "initial_value",
                    ),
                    *("initializer", "op", "graph", "handle", "create", "synchronization"),
                    *("aggregation", "_shared_name"),
                ):
                    with stage.failing():
                        value = getattr(v, name)
                        stage.say(name, "graph" if name == "graph" else _of(tf, value))
                stage.attempts(
                    lambda: len(v),  # noqa: B023
                    lambda: list(v),  # noqa: B023
                    lambda: bool(v),  # noqa: B023
                    lambda: v == v,  # noqa: B023
                    lambda: v != other,  # noqa: B023
                    lambda: {v: 1}[v],  # noqa: B023
                    lambda: v.experimental_ref() == v.experimental_ref(),  # noqa: B023
                    lambda: repr(v),  # noqa: B023
                    lambda: tf.Variable.from_proto(v.to_proto()).name,  # noqa: B023
                )


def _of(tf, value):
    return getattr(value, "name", None) or str(value)


def eagerly(tf, stage):
    with eager_mode(tf):
        for dtype in (tf.float64, tf.int64):
            v, other = (tf.Variable(x, dtype=dtype) for x in ([1, 2, 3], [4, 5, 6]))
            for name, call in _calls(tf, v, other):
                stage.say(name)
                with stage.failing():
                    made = call()
                    kind = type(made).__name__.lstrip("_")
                    stage.say(kind if "Variable" in kind else made)
                    stage.say(v.numpy())
        stage.attempts(lambda: tf.Variable(3.0, collections=3))
