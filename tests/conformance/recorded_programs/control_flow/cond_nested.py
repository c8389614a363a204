"""Nested conditionals: contexts and their protos, devices, slices, groups, summaries."""


def written(context):
    """A CondContextDef as plain data: protobuf maps are unordered."""
    values = context.values_def
    external = sorted([key, value] for key, value in values.external_values.items())
    nested = [written(inner.cond_ctxt) for inner in context.nested_contexts]
    head = [context.context_name, context.pred_name, context.pivot_name, context.branch]
    return [head, list(values.values), external, nested]


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    q = tf.placeholder(tf.bool, [], name="q")
    with tf.device("/cpu:0"):
        y = tf.constant([[3.0] * 3] * 2, name="y")

    def inner():
        z = tf.identity(x)
        return tf.cond(q, lambda: z + y, lambda: tf.cond(p, lambda: x, lambda: y))

    deep = tf.cond(p, inner, lambda: y)
    with tf.control_dependencies([x]):
        after = tf.cond(p, inner, lambda: tf.ones([2, 3]), name="after")

    def on_device():
        with tf.device("/device:CPU:0"):
            return x * 2.0

    with tf.device("/cpu:0"):
        placed = tf.cond(p, on_device, lambda: tf.zeros([2, 3]), name="placed")
    with tf.colocate_with(y):
        colocated = tf.cond(p, on_device, lambda: tf.zeros([1]), name="colocated")

    def summarized():
        tf.add_to_collection("_SUMMARY_V2", tf.identity(x, name="summary"))
        return x, tf.negative(x)

    summary = tf.cond(p, summarized, lambda: (x, x), name="summarized")
    rows = tf.IndexedSlices(x, tf.constant([1, 0]))
    wide = tf.IndexedSlices(x * 2.0, tf.constant([0, 1], tf.int64))
    slices = tf.cond(p, lambda: rows, lambda: wide, name="slices")
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [5.0, 6.0], [2, 2])
    chosen = tf.cond(p, lambda: sparse, lambda: sparse, name="sparse")
    operations = tf.cond(p, lambda: tf.group(x), tf.no_op, name="operations")
    waited = tf.tuple([x, None, rows, p], control_inputs=[y], name="waited")
    grouped = tf.group(deep, [after], {"k": placed}, name="grouped")
    shapes = [
        tf.cond(p, lambda a=a: a, lambda b=b: b).shape
        for a in (x, tf.ones([2, 1]), tf.placeholder(tf.float32))
        for b in (x, tf.ones([3]))
    ]
    graph = tf.get_default_graph()
    facts = {
        "contexts": [written(context.to_proto()) for context in tf.get_collection("cond_context")],
        "context of each": [
            str(getattr(op._get_control_flow_context(), "name", None))
            for op in graph.get_operations()
        ],
        "unfetchable": [op.name for op in graph.get_operations() if not graph.is_fetchable(op)],
        "shapes": [str(shape) for shape in shapes],
        "types": [type(value).__name__ for value in (slices, chosen, operations, waited)],
    }
    fetches = [deep, after, placed, colocated, summary, slices.values, slices.indices]
    fetches += [chosen.values, waited[0], waited[2].values, grouped, operations]
    values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    steps = [
        (f"{first} {second}", fetches, {x: values, p: first, q: second})
        for first in (True, False)
        for second in (True, False)
    ]
    return {"facts": facts, "steps": steps}
