"""SavedModels of graphs, loaded: assets of equal name, positional signature calls, shapes and sparse values."""

from tests.conformance.scenes import eager_mode, in_own_graph


def _model(tf, folder):
    build = tf.saved_model.signature_def_utils.build_signature_def
    info = tf.saved_model.build_tensor_info
    with tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.placeholder_with_default([1.0, 2.0], [2], name="y")
        v = tf.get_variable("v", initializer=[2.0, 3.0], use_resource=True)
        local = tf.get_variable(
            "l", initializer=7.0, collections=["local_variables"], use_resource=True
        )
        product = tf.multiply(x, v, name="product")
        total = tf.add(product, y, name="total")
        lonely = tf.reduce_sum(tf.placeholder(tf.float32, name="lonely"), name="lonely_sum")
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        signatures = {
            "one": build({"a": info(x)}, {"p": info(product), "v": info(v.value())}, "m"),
            "two": build({"b": info(x), "a": info(y)}, {"t": info(total)}),
            "none": build(None, {"v": info(v.value())}),
            "middle": build({"p": info(product)}, {"t": info(total)}),
            "local": build(None, {"l": info(local.value())}),
        }
        if "unfed" in folder:
            signatures["unfed"] = build({"a": info(x)}, {"lonely": info(lonely)})
        builder = tf.saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(
            session, ["serve"], signatures, main_op=tf.local_variables_initializer()
        )
        if "unfed" in folder:
            builder.add_meta_graph(["serve", "two"], signatures)
        builder.save()


def _shown(tf, stage, call):
    with stage.failing():
        for key, value in sorted(call().items()):
            stage.say(key, value, value.shape)


@in_own_graph
def signatures_called(tf, stage):
    _model(tf, stage.folder + "/model")
    _model(tf, stage.folder + "/unfed")
    load = tf.compat.v2.saved_model.load
    stage.attempt(load, stage.folder + "/unfed", ["serve"])
    stage.attempt(load, stage.folder + "/model", ["none"])
    stage.attempt(load, stage.folder + "/none")
    with eager_mode(tf):
        loaded = load(stage.folder + "/model")
        stage.say(sorted(loaded.signatures), len(loaded.variables))
        stage.say([v.name for v in loaded.variables], loaded.variables)
        one, two = tf.constant([1.0, 1.0]), tf.constant([10.0, 20.0])
        of = loaded.signatures
        for case in (lambda: of["one"](one, two), lambda: of["none"](one)):
            _shown(tf, stage, case)
        for name in sorted(of):
            stage.say(name, sorted(of[name].structured_outputs.items()))
        with stage.failing():
            pruned = loaded.prune("x:0", ["product:0", "v/Read/ReadVariableOp:0"])
            stage.say(pruned(one))
        with stage.failing():
            stage.say(loaded.prune("x:0", "total:0")(two))
        loaded.variables[0].assign([0.0, 1.0])
        _shown(tf, stage, lambda: of["one"](one))
        again = load(stage.folder + "/model", {"serve"})
        _shown(tf, stage, lambda: again.signatures["one"](one))
