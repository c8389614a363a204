"""Parts of graphs: exported from a name scope, imported into one."""

from tests.support.programs import recording


def model(tf, name="x"):
    """Two layers in separate scopes, an external input, a cond."""
    x = tf.placeholder(tf.float32, [None, 2], name=name)
    with tf.variable_scope("layer"):
        w = tf.get_variable("w", [2, 3], initializer=tf.ones_initializer())
        hidden = tf.matmul(x, w, name="product")
        with tf.control_dependencies([x]):
            hidden = tf.cond(tf.reduce_sum(hidden) > 0, lambda: hidden * 2, lambda: hidden)
        tf.add_to_collection("hidden", hidden)
    with tf.variable_scope("layer2"), tf.device("/cpu:0"):
        bias = tf.get_variable("b", [3], initializer=tf.zeros_initializer(), use_resource=True)
        out = tf.add(hidden, bias, name="out")
    for item in (x, hidden, out, w, "layer/text", "text", b"layer/bytes", 1):
        tf.add_to_collection(f"one {type(item).__name__}", item)
    return x


def exported_scope(tf):
    model(tf)
    return tf.train.export_meta_graph(export_scope="layer")


def scope_with_a_slash(tf):
    model(tf)
    return tf.train.export_meta_graph(export_scope="layer2/", clear_devices=True)


def scope_without_unbound_inputs(tf):
    model(tf)
    return tf.train.export_meta_graph(export_scope="layer", unbound_inputs_col_name=None)


def unbound_inputs_by_another_name(tf):
    model(tf)
    return tf.train.export_meta_graph(export_scope="layer2", unbound_inputs_col_name="open")


def no_such_scope(tf):
    model(tf)
    return tf.train.export_meta_graph(export_scope="nowhere")


def partitions_in_a_scope(tf):
    with tf.variable_scope("big"):
        tf.get_variable("w", [7, 2], partitioner=tf.fixed_size_partitioner(3))
    return tf.train.export_meta_graph(export_scope="big")


def again(tf, message, **kwargs):
    """The export of a new graph into which `message` was imported."""
    graph = tf.Graph()
    with graph.as_default():
        tf.train.import_meta_graph(message, **kwargs)
        return tf.train.export_meta_graph()


def imported(tf):
    model(tf)
    return again(tf, tf.train.export_meta_graph())


def imported_into_a_scope(tf):
    model(tf)
    return again(tf, tf.train.export_meta_graph(), import_scope="inside")


def imported_under_a_name_scope(tf):
    model(tf)
    message = tf.train.export_meta_graph()
    graph = tf.Graph()
    with graph.as_default(), tf.name_scope("outer"):
        tf.train.import_meta_graph(message)
        return tf.train.export_meta_graph()


def imported_twice(tf):
    model(tf)
    message = tf.train.export_meta_graph()
    graph = tf.Graph()
    with graph.as_default():
        tf.train.import_meta_graph(message, import_scope="inside")
        tf.train.import_meta_graph(message, import_scope="inside")
        return tf.train.export_meta_graph()


def imported_without_devices(tf):
    model(tf)
    return again(tf, tf.train.export_meta_graph(), clear_devices=True)


def bound_inputs(tf):
    model(tf)
    message = tf.train.export_meta_graph(export_scope="layer2")
    names = message.collection_def["unbound_inputs"].bytes_list.value
    other = tf.placeholder(tf.float32, [None, 3], name="other")
    input_map = {name.decode(): other for name in names}
    tf.train.import_meta_graph(message, import_scope="copy", input_map=input_map)
    return tf.train.export_meta_graph()


def chosen_collections_restored(tf):
    model(tf)
    message = tf.train.export_meta_graph()
    return again(tf, message, restore_collections_predicate=lambda key: "variables" in key)


def old_release(tf):
    """Before 1.9 a VariableDef had no trainable field."""
    model(tf)
    tf.Variable(1, trainable=False, name="not_trained")
    message = tf.train.export_meta_graph()
    message.meta_info_def.tensorflow_version = "1.8.0"
    for key in ("variables", "trainable_variables"):
        values = message.collection_def[key].bytes_list.value
        for number, value in enumerate(values):
            variable = tf.Variable(0.0).to_proto()
            variable.ParseFromString(value)
            variable.trainable = False
            values[number] = variable.SerializeToString(deterministic=True)
    return again(tf, message)


def conditions_imported(tf):
    recording.build(tf, "cond_nested")
    return again(tf, tf.train.export_meta_graph(), import_scope="deep/er")


def stripped_attrs_come_back(tf):
    recording.build(tf, "train_attention")
    return again(tf, tf.train.export_meta_graph(strip_default_attrs=True))
