"""Graphs: several at once, finalized, imported twice, collections, versions, functions; what an error leaves."""


def _nodes(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=2.0)
    return tf.multiply(x, v, name="y")


def graphs_mixed(tf, stage):
    a = tf.constant(1.0, name="a")
    with tf.Graph().as_default() as other:
        b = tf.constant(2.0, name="b")
        stage.attempt(lambda: a + b)
        stage.attempt(lambda: tf.add_n([b, a]))
        stage.attempt(lambda: tf.identity(a).graph is a.graph)
        stage.attempt(lambda: tf.gradients(b, a))
        stage.attempt(lambda: other.as_graph_element(a))
        stage.attempt(lambda: tf.group(a, b))
        stage.attempt(lambda: tf.group(a).graph is a.graph)
        stage.attempt(lambda: tf.cond(a > 0, lambda: b, lambda: b))
        stage.attempt(lambda: tf.while_loop(lambda i: i < a, lambda i: i + 1, [b]))
        stage.attempt(lambda: tf.convert_to_tensor(a) is a)
        stage.attempt(lambda: other.get_tensor_by_name("a:0"))
    stage.left(other)
    stage.nodes()


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


def imported_twice(tf, stage):
    y = _nodes(tf)
    definition = y.graph.as_graph_def()
    with tf.Graph().as_default() as other:
        for _ in range(2):
            stage.say([t.name for t in tf.import_graph_def(definition, return_elements=["y:0"])])
        for _ in range(2):
            stage.say(tf.import_graph_def(definition, name="s", return_elements=["y"])[0].name)
        stage.attempt(tf.import_graph_def, definition, name="")
        stage.attempt(tf.import_graph_def, definition, name="")
        with tf.name_scope("t"):
            tf.import_graph_def(definition, name="")
            tf.import_graph_def(definition, name="u")
        stage.attempt(tf.import_graph_def, definition, return_elements=["none:0"])
        stage.attempt(tf.import_graph_def, definition, return_elements=["y:3"])
        stage.attempt(tf.import_graph_def, definition, input_map={"none:0": tf.zeros([1])})
        stage.attempt(tf.import_graph_def, definition, input_map={"x:0": tf.constant("a")})
        stage.attempt(tf.import_graph_def, definition, input_map={"x:0": y})
        got = tf.import_graph_def(definition, {"x:0": tf.ones([2])}, ["y:0"], name="last")
        stage.say(got[0].shape)
    stage.left(other)


def imported_after_a_bad_one(tf, stage):
    y = _nodes(tf)
    graph = y.graph
    for change in ("op", "input", "attr", "twice", "name"):
        definition = graph.as_graph_def()
        node = definition.node[-1]
        if change == "op":
            node.op = "Nothing"
        elif change == "input":
            node.input[0] = "none"
        elif change == "attr":
            node.attr["T"].type = tf.int32.as_datatype_enum
        elif change == "twice":
            definition.node.add().CopyFrom(node)
        else:
            node.name = "a b"
        with tf.Graph().as_default():
            stage.attempt(tf.import_graph_def, definition)
            stage.nodes()
            tf.import_graph_def(graph.as_graph_def())
            stage.nodes()


def versions_of_graphs(tf, stage):
    graph = tf.get_default_graph()
    stage.say(graph.graph_def_versions.producer, graph.graph_def_versions.min_consumer)
    for producer, consumer, bad in ((20, 0, []), (30, 0, []), (25, 12, []), (134, 0, [])):
        definition = tf.GraphDef()
        definition.node.add(name="n", op="NoOp")
        definition.versions.producer, definition.versions.min_consumer = producer, consumer
        definition.versions.bad_consumers.extend(bad)
        stage.attempt(tf.import_graph_def, definition)
        versions = graph.graph_def_versions
        stage.say(versions.producer, versions.min_consumer, list(versions.bad_consumers))
    for producer, consumer, bad in ((5, 500, []), (134, 0, [134]), (-1, 0, []), (9999, 0, [])):
        definition = tf.GraphDef()
        definition.versions.producer, definition.versions.min_consumer = producer, consumer
        definition.versions.bad_consumers.extend(bad)
        stage.attempt(tf.import_graph_def, definition)
    with tf.Graph().as_default() as other:
        stage.say(other.graph_def_versions.producer)


def collections_of_two_graphs(tf, stage):
    graph = tf.get_default_graph()
    tf.add_to_collection("a", 1)
    tf.add_to_collection("a", 1)
    tf.add_to_collections(["a", "b", "a"], 2)
    with tf.Graph().as_default() as other:
        stage.say(tf.get_collection("a"), other.get_all_collection_keys())
        tf.add_to_collection("a", 3)
        graph.add_to_collection("c", 4)
    stage.say(tf.get_collection("a"), tf.get_collection("b"), tf.get_collection("c"))
    copy, ref = graph.get_collection("a"), graph.get_collection_ref("a")
    copy.append(8)
    ref.append(9)
    stage.say(graph.get_collection("a"), graph.get_collection_ref("new"), tf.get_collection("old"))
    stage.say(sorted(graph.get_all_collection_keys(), key=str), sorted(graph.collections))
    graph.clear_collection("a")
    graph.clear_collection("never")
    stage.say(graph.get_collection("a"), ref)
    stage.attempt(graph.add_to_collection, ["x"], 1)
    stage.attempt(graph.add_to_collections, "xy", 1)
    stage.say(sorted(graph.get_all_collection_keys(), key=str))
    stage.left(other)


def collections_by_scope(tf, stage):
    with tf.variable_scope("a"):
        tf.get_variable("v", [1])
        with tf.variable_scope("b"):
            tf.get_variable("v", [1], collections=["mine"])
            tf.get_variable("w", [1], trainable=False)
    tf.get_variable("ab", [1])
    tf.add_to_collection("mine", "text")
    for scope in (None, "a", "a/", "b", ".*b", "a/b/v", "", "x"):
        stage.say(scope, [getattr(v, "name", v) for v in tf.get_collection("mine", scope)])
        stage.say([v.name for v in tf.global_variables(scope)])
        stage.say([v.name for v in tf.trainable_variables(scope)])


def seeds_of_two_graphs(tf, stage):
    tf.set_random_seed(5)
    with tf.Graph().as_default() as other:
        stage.say(tf.get_seed(None), tf.get_seed(3))
        tf.set_random_seed(6)
        stage.say(tf.get_seed(None), tf.get_seed(3), tf.get_seed(None))
        tf.no_op()
        stage.say(tf.get_seed(None))
    stage.say(tf.get_seed(None), tf.get_seed(0), tf.get_default_graph().seed)
    tf.set_random_seed(0)
    stage.say(tf.get_seed(0), tf.get_seed(2**31 - 1), tf.get_seed(None))
    tf.set_random_seed(None)
    stage.say(tf.get_seed(None), tf.get_seed(0))
    stage.left(other)


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


def template_called_again(tf, stage):
    def body(x, name="v"):
        return x * tf.get_variable(name, [], initializer=tf.ones_initializer())

    made = tf.make_template("t", body)
    stage.attempt(lambda: made(1.0).name)
    stage.attempt(lambda: made(2.0).name)
    stage.attempt(lambda: made(2.0, name="w").name)
    with tf.variable_scope("else"):
        stage.attempt(lambda: made(3.0).name)
    stage.say([v.name for v in made.variables], made.name)
    again = tf.make_template("t", body)
    stage.attempt(lambda: again(1.0).name)
    unique = tf.make_template("u", body, unique_name_="u")
    stage.attempt(lambda: unique(1.0).name)
    stage.attempt(lambda: tf.make_template("u", body, unique_name_="u")(1.0).name)
    fails = tf.make_template("f", lambda: 1 / 0, create_scope_now_=True)
    stage.attempt(fails)
    stage.say(tf.get_variable_scope().name, tf.get_default_graph().get_name_scope())
    with tf.Graph().as_default():
        stage.attempt(lambda: made(1.0).name)


def control_flow_of_version_two(tf, stage):
    tf.enable_control_flow_v2()
    try:
        x = tf.constant(2.0, name="x")
        y = tf.cond(x > 1, lambda: x * 2, lambda: x)
        z = tf.while_loop(lambda i: i < 10, lambda i: i * x, [y])
        stage.attempt(tf.cond, x > 1, lambda: 1 / 0, lambda: x)
        stage.attempt(tf.cond, x > 1, lambda: x, lambda: "a")
        stage.attempt(tf.while_loop, lambda i: i < 3, lambda i: [i, i], [x])
        with tf.Session() as session:
            stage.attempt(session.run, [y, z, tf.gradients(z, x)[0]])
    finally:
        tf.disable_control_flow_v2()
    stage.say(tf.cond(x > 1, lambda: x, lambda: x + 1).op.type)
