"""Mixed graphs, bad names, scopes and devices, finalized graphs, imports that cannot be."""


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


def control_dependency_on_a_number(tf):
    with tf.control_dependencies([5]):
        return tf.constant(1.0)


def bad_name(tf):
    return tf.constant(1.0, name="a b")


def bad_name_of_operation(tf):
    return tf.add(1.0, 2.0, name="_hidden")


def device_given_twice(tf):
    with tf.device("/cpu:0/cpu:1"):
        return tf.constant(1.0)


def missing_device(tf):
    with tf.device("/device:GPU:7"):
        return tf.constant(1.0, name="a") + 1.0


def missing_cpu(tf):
    with tf.device("/cpu:3"):
        return tf.add(tf.constant(1.0), 1.0, name="far")


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


def lookup_of_a_number(tf):
    tf.get_default_graph().get_tensor_by_name(5)


def lookup_of_an_operation_as_tensor(tf):
    tf.constant(1.0, name="a")
    tf.get_default_graph().get_tensor_by_name("a")


def lookup_of_a_tensor_as_operation(tf):
    tf.constant(1.0, name="a")
    tf.get_default_graph().get_operation_by_name("a:0")


def lookup_of_no_operation(tf):
    tf.get_default_graph().get_operation_by_name("nothing")


def lookup_of_an_object(tf):
    tf.get_default_graph().as_graph_element(object())


def reset_inside_a_graph(tf):
    with tf.Graph().as_default():
        tf.reset_default_graph()


def attr_that_is_not_there(tf):
    tf.constant(1.0, name="a").op.get_attr("nothing")


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


def import_of_duplicate_names(tf):
    imported(tf, "a Placeholder;a Placeholder")


def import_without_the_output(tf):
    imported(tf, "a Placeholder;b Neg a:1")


def import_with_a_cycle(tf):
    imported(tf, "a Neg b;b Neg a")


def import_with_too_few_inputs(tf):
    imported(tf, "a Placeholder;b Add a")


def import_with_too_many_inputs(tf):
    imported(tf, "a Placeholder;b Neg a a")


def import_with_a_bad_name(tf):
    imported(tf, "a,b Placeholder")


def import_without_an_attr(tf):
    imported(tf, "a Const")


def import_with_unused_map(tf):
    imported(tf, "a Placeholder", input_map={"nothing:0": tf.constant(1.0)})


def import_with_bad_map(tf):
    imported(tf, "a Placeholder", input_map={5: tf.constant(1.0)})


def import_with_another_dtype_mapped(tf):
    imported(tf, "a Placeholder;b Neg a", input_map={"a:0": tf.constant(1)})


def import_returning_nothing(tf):
    imported(tf, "a Placeholder", return_elements=["missing:0"])


def import_returning_a_missing_operation(tf):
    imported(tf, "a Placeholder", return_elements=["missing"])


def import_returning_a_number(tf):
    imported(tf, "a Placeholder", return_elements=[5])


def import_of_something_else(tf):
    tf.import_graph_def("not a graph")


def import_under_a_bad_name(tf):
    imported(tf, "a Placeholder", name="a b")


def import_of_two_dtypes(tf):
    graph_def = tf.GraphDef()
    graph_def.node.add(name="a", op="Placeholder").attr["dtype"].type = 3
    graph_def.node.add(name="b", op="Neg", input=["a"]).attr["T"].type = 1
    tf.import_graph_def(graph_def)
