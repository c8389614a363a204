"""Mixed graphs, invalid names, scopes and devices, finalized graphs, invalid imports."""


def mixed_graphs(tf):
    a = tf.constant(1.0, name="a")
    with tf.Graph().as_default():
        b = tf.constant(2.0, name="b")
    return tf.add(a, b)


def mixed_graphs_by_operator(tf):
    a = tf.Variable(1.0, name="a")
    with tf.Graph().as_default():
        return tf.constant(2.0, name="b") * a


def control_dependency_of_another_graph(tf):
    with tf.Graph().as_default():
        b = tf.constant(2.0, name="b")
    with tf.control_dependencies([b]):
        return tf.constant(1.0)


def device_given_twice(tf):
    with tf.device("/cpu:0/cpu:1"):
        return tf.constant(1.0)


def missing_device(tf):
    with tf.device("/device:GPU:7"):
        return tf.constant(1.0, name="a") + 1.0


def missing_job(tf):
    with tf.device("/job:ps/task:0"):
        return tf.add(tf.placeholder_with_default(1.0, []), 1.0, name="far")


def colocation_of_two_devices(tf):
    with tf.device("/cpu:0"):
        a = tf.Variable(1.0, name="a")
    with tf.device("/device:GPU:0"):
        return tf.assign_add(a, 1.0)


def finalized_by_running(tf):
    a = tf.constant(1.0)

    def use(sess):
        sess.graph.finalize()
        return sess.run(a + 1.0)

    return use


def lookup_of_an_operation_as_tensor(tf):
    tf.constant(1.0, name="a")
    tf.get_default_graph().get_tensor_by_name("a")


def lookup_of_a_tensor_as_operation(tf):
    tf.constant(1.0, name="a")
    tf.get_default_graph().get_operation_by_name("a:0")


def reset_inside_a_graph(tf):
    with tf.Graph().as_default():
        tf.reset_default_graph()


def imported(tf, text, **options):
    graph_def = tf.GraphDef()
    for line in text.split(";"):
        name, op, *inputs = line.split()
        node = graph_def.node.add(name=name, op=op, input=inputs)
        if op in ("Add", "Neg", "Identity"):
            node.attr["T"].type = 1
        if op == "Placeholder":
            node.attr["dtype"].type = 1
    graph_def.versions.producer = 134
    return tf.import_graph_def(graph_def, **options)


def import_of_two_dtypes(tf):
    graph_def = tf.GraphDef()
    graph_def.node.add(name="a", op="Placeholder").attr["dtype"].type = 3
    graph_def.node.add(name="b", op="Neg", input=["a"]).attr["T"].type = 1
    tf.import_graph_def(graph_def)
