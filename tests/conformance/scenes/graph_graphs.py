"""Graphs: several at once, finalized, imported twice, collections, versions, functions; state after errors."""


def _nodes(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=2.0)
    return tf.multiply(x, v, name="y")


def elements(tf, stage):
    y = _nodes(tf)
    graph = tf.get_default_graph()
    for name in ("y", "y:0", "y:1", "none", "none:0", "y:", ":0", "^y", "y:0:0", 1, None, y, y.op):
        stage.attempt(graph.as_graph_element, name)
        stage.attempt(graph.as_graph_element, name, allow_tensor=False)
        stage.attempt(graph.as_graph_element, name, allow_operation=False)
    stage.attempt(graph.as_graph_element, "y", False, False)
    stage.attempt(graph.get_operation_by_name, "y:0")
    stage.attempt(graph.get_operation_by_name, 1)
    stage.attempt(graph.get_tensor_by_name, "y")
    stage.attempt(graph.get_tensor_by_name, 1)


def operations_changed(tf, stage):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    c = tf.add(a, b, name="c")
    i = tf.constant(1, name="i")
    stage.attempt(c.op._update_input, 0, b)
    stage.attempt(c.op._update_input, 5, b)
    stage.attempt(c.op._update_input, 0, i)
    with tf.Graph().as_default():
        stage.attempt(c.op._update_input, 0, tf.constant(1.0))
    c.op._add_control_input(i.op)
    c.op._add_control_inputs([a.op, i.op])
    stage.say([t.name for t in c.op.inputs], [o.name for o in c.op.control_inputs])
    c.op._remove_all_control_inputs()
    stage.say([o.name for o in c.op.control_inputs], [o.name for o in c.consumers()])
    stage.say([o.name for o in b.consumers()], [o.name for o in a.consumers()])
    c.op._set_attr("_mine", tf.AttrValue(i=3))
    stage.say(c.op.get_attr("_mine"))
    stage.attempt(c.op.get_attr, "none")
    stage.attempt(c.set_shape, [3])
    stage.attempt(tf.placeholder(tf.float32, [None, 2]).set_shape, [3, None])


def loops_whose_body_fails(tf, stage):
    def fails(i):
        tf.square(i)
        raise ValueError("mine")

    zero = tf.constant(0, name="zero")
    loop = tf.while_loop
    stage.attempt(loop, lambda i: i < 3, fails, [zero])
    stage.attempt(loop, fails, lambda i: i + 1, [zero])
    stage.attempt(loop, lambda i: i < 3, lambda i: [i, i], [zero])
    stage.attempt(loop, lambda i: i < 3, lambda i: tf.to_float(i), [zero])
    stage.attempt(loop, lambda i: i < 3, lambda i: tf.tile([i], [2]), [zero])
    stage.attempt(loop, lambda i: 1.0, lambda i: i, [zero])
    stage.attempt(loop, lambda i: i < 3, lambda i: i, [])
    stage.attempt(loop, 1, lambda i: i, [zero])
    stage.attempt(loop, lambda i: i < 3, lambda i: i + 1, [zero], parallel_iterations=0)
    stage.say(tf.get_default_graph()._get_control_flow_context(), tf.no_op("free").control_inputs)
    with tf.Session() as session:
        stage.attempt(session.run, loop(lambda i: i < 3, lambda i: i + 1, [zero]))
