"""A graph with conditions, variables and gradients imported twice, its parts fetched and fed."""


def build(tf):
    with tf.Graph().as_default() as other:
        x = tf.placeholder(tf.float32, [2], name="x")
        p = tf.placeholder(tf.bool, [], name="p")
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, 2.0]))
        with tf.device("/cpu:0"):
            y = tf.cond(
                p, lambda: x * w, lambda: tf.cond(x[0] > 0, lambda: w - x, lambda: x), name="y"
            )
        loss = tf.reduce_sum(tf.square(y), name="loss")
        gradient = tf.gradients(loss, [x, w])
        step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, name="step")
        init = tf.global_variables_initializer()
        names = [gradient[0].name, gradient[1].name, step.name, init.name]
        graph_def = other.as_graph_def()
        empty = other.as_graph_def(from_version=other.version)
        shapes = other.as_graph_def(add_shapes=True)
    elements = ["loss:0", *names]
    first = tf.import_graph_def(graph_def, return_elements=elements, name="first")
    mine = tf.Variable([3.0, 4.0], name="mine")
    second = tf.import_graph_def(
        shapes,
        input_map={"x:0": mine * 2.0, "w/read:0": tf.identity(mine)},
        return_elements=elements,
    )
    back = tf.gradients(second[0], mine)
    facts = {
        "first": [t.name for t in first],
        "second": [t.name for t in second],
        "nodes": [len(graph_def.node), len(empty.node), len(shapes.node)],
        "versions": [graph_def.versions.producer, graph_def.versions.min_consumer],
        "shapes": [str(n.attr["_output_shapes"].list.shape[0].dim) for n in shapes.node[:3]],
        "contexts": [c.name for c in tf.get_collection(tf.GraphKeys.COND_CONTEXT)],
    }
    steps = [("init", [first[4], mine.initializer, second[4]])]
    for flag in (True, False):
        feed = {"first/x:0": [0.5, -1.5], "first/p:0": flag, "import/p:0": flag}
        steps += [(f"first {flag}", first[:3], feed), (f"step {flag}", first[3], feed)]
        steps += [(f"w {flag}", "first/w:0"), (f"back {flag}", [back, second[0]], feed)]
    return {"facts": facts, "steps": steps}
