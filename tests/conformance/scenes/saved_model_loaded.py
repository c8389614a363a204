"""SavedModels of graphs read again: assets of one name, signatures called by position, shapes and sparse values."""

import os

from tests.conformance.scenes import eager_mode, in_own_graph
from tests.conformance.scenes.saved_model_files import _tree


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.utime(path, (10**9, 10**9))


def assets_of_one_name(tf, stage):
    model, folder = stage.folder + "/model", stage.folder + "/in/"
    texts = {"a": "one", "b": "one", "c": "two", "d": "six", "e": "other", "f": "two"}
    for name, text in texts.items():
        _write(f"{folder}{name}/words", text)
    _write(folder + "g/words_1", "seven")
    builder = tf.saved_model.Builder(model)
    paths = [f"{folder}{name}/words" for name in texts] + [folder + "g/words_1"]
    for number, given in enumerate((paths, paths[3:], [])):
        with tf.Session(graph=tf.Graph()) as session:
            tf.constant(number, name="g")
            tensors = [tf.constant(path, name=path[-7]) for path in given]
            if number:
                builder.add_meta_graph([f"g{number}"], assets_collection=tensors)
            else:
                builder.add_meta_graph_and_variables(session, ["g0"], assets_collection=tensors)
            for packed in tf.get_collection("saved_model_assets"):
                asset = tf.compat.v1.MetaGraphDef.FromString(b"").asset_file_def.add()
                packed.Unpack(asset)
                stage.say(asset.tensor_info.name, asset.filename)
    builder.save(as_text=True)
    _tree(stage, model)
    for name in sorted(os.listdir(model + "/assets")):
        with open(f"{model}/assets/{name}") as file:
            stage.say(name, file.read())
    for tags in (["g0"], ["g1"], ["g2"]):
        with tf.Session(graph=tf.Graph()) as session:
            tf.saved_model.load(session, tags, model, import_scope="s")
            names = [op.name for op in session.graph.get_operations()]
            stage.say(tags, session.run([f"{name}:0" for name in names if name[-1] in "abcdefg"]))


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
