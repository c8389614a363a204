"""import_graph_def: prefixes, input maps, return elements, control inputs, colocation."""


def build(tf):
    with tf.Graph().as_default() as other:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        with tf.name_scope("layer"):
            w = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="w")
            with tf.control_dependencies([w]):
                h = tf.matmul(x, w, name="h")
            with tf.colocate_with(w.op):
                y = tf.nn.relu(h, name="y")
        parts = tf.split(y, 2, axis=1, name="parts")
        with tf.device("/cpu:0"):
            tf.subtract(parts[0], parts[1], name="out")
        graph_def = other.as_graph_def()
    mine = tf.placeholder(tf.float32, [None, 2], name="mine")
    plain = tf.import_graph_def(graph_def)
    mapped = tf.import_graph_def(
        graph_def, {"x:0": mine}, ["out:0", "layer/h", "parts:1"], name="again"
    )
    with tf.name_scope("scoped"):
        tf.import_graph_def(graph_def, name="inside")
    tf.import_graph_def(graph_def, {"layer/w": tf.eye(2), "x": mine}, name="")
    with tf.control_dependencies([mine]):
        tf.import_graph_def(graph_def, name="controlled")
    with tf.device("/job:localhost"):
        tf.import_graph_def(graph_def, name="placed")
    twice = tf.import_graph_def(graph_def, return_elements=["out"], name="again")
    graph = tf.get_default_graph()
    facts = {
        "plain": str(plain),
        "mapped": [getattr(t, "name", "?") for t in mapped],
        "twice": [op.name for op in twice],
        "lookup": [
            graph.get_tensor_by_name("import/out:0").op.type,
            graph.get_operation_by_name("out").device,
            graph.as_graph_element("again/parts:1").name,
            graph.as_graph_element("again/layer/h").name,
        ],
        "operations": len(graph.get_operations()),
    }
    feed = {mine: [[1.0, 1.0], [2.0, -1.0]]}
    steps = [
        ("mapped", mapped, feed),
        ("by name", ["again/out:0", "out:0"], feed),
        ("controlled", "controlled/out:0", dict(feed, **{"controlled/x:0": [[1.0, 0.0]]})),
        ("op", twice[0], {"again_1/x:0": [[1.0, 0.0]]}),
    ]
    return {"facts": facts, "steps": steps}
