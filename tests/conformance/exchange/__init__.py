"""Models that one implementation trains, saves and freezes, and the other continues with.

A model is a module here with `build(tf)`, which returns a dict with

    train     the training op, and `loss`, the tensor to watch
    feeds     {placeholder name: list of values}, for all following steps
    outputs   {key: tensor} of the served function
    assets    optional: a list of constants with file paths
    init      optional: an op to run after the values are restored

Its PACKAGES lists the tf.contrib packages that TensorFlow must load to register the ops.

`write` trains it for a few steps and writes a checkpoint with its meta graph, a GraphDef as text, a frozen graph and a
SavedModel to a folder. `use` continues from each and returns the values. Both run under TensorFlow 1.15.5 on Python 3.7
and under tfmini:

    python -m tests.conformance.exchange write|use MODEL FOLDER     # the reference, values to FOLDER/values.json
"""

import importlib
import json
import os

import numpy as np

from tests.support import goldens
from tests.support.programs import recording

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 4


def models():
    return recording.names_in("conformance/exchange")


def path_of_golden(name):
    return goldens.golden_path("exchange", name + ".tar.xz")


def module_of(name):
    return importlib.import_module("tests.conformance.exchange." + name)


def session(tf, graph):
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    return tf.Session(graph=graph, config=config)


def fed(feeds):
    return {name + ":0": np.asarray(value) for name, value in feeds.items()}


def write(tf, name, folder):
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(7)
        model = module_of(name).build(tf)
        tf.add_to_collection("train", model["train"])
        tf.add_to_collection("loss", model["loss"])
        saver = tf.train.Saver()
        outputs = dict(sorted(model["outputs"].items()))
        for key, tensor in outputs.items():
            tf.add_to_collection("outputs", key)
            tf.add_to_collection("outputs", tensor.name)
        with session(tf, graph) as sess:
            sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
            for _ in range(STEPS):
                sess.run(model["train"], fed(model["feeds"]))
            saver.save(sess, os.path.join(folder, "model"), write_state=False)
            tf.train.write_graph(graph, folder, "graph.pbtxt")
            names = [tensor.op.name for tensor in outputs.values()]
            frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), names)
            tf.io.write_graph(frozen, folder, "frozen.pb", as_text=False)
            saved(tf, sess, model, os.path.join(folder, "served"))


def saved(tf, sess, model, folder):
    utils = tf.saved_model.signature_def_utils
    inputs = {key: sess.graph.get_tensor_by_name(key + ":0") for key in model["feeds"]}
    builder = tf.saved_model.builder.SavedModelBuilder(folder)
    builder.add_meta_graph_and_variables(
        sess,
        [tf.saved_model.tag_constants.SERVING, "exchange"],
        {"serving_default": utils.predict_signature_def(inputs, model["outputs"])},
        assets_collection=model.get("assets"),
        main_op=model.get("init"),
        strip_default_attrs=True,
    )
    builder.save(as_text=model.get("as_text", False))


def use(tf, name, folder):
    for package in getattr(module_of(name), "PACKAGES", ()):
        getattr(tf.contrib, package)
    feeds = fed(module_of(name).FEEDS)
    return {
        "trained on": recording.plain(trained_on(tf, folder, feeds)),
        "frozen": recording.plain(frozen(tf, name, folder, feeds)),
        "served": recording.plain(served(tf, folder, feeds)),
        "predicted": recording.plain(predicted(tf, folder, module_of(name).FEEDS)),
    }


def trained_on(tf, folder, feeds):
    """The loss before each of some further steps, from the meta graph and the checkpoint."""
    with tf.Graph().as_default() as graph:
        saver = tf.train.import_meta_graph(os.path.join(folder, "model.meta"))
        train, loss = tf.get_collection("train")[0], tf.get_collection("loss")[0]
        values = {v.name: plain(tf, v) for v in tf.global_variables()}
        with session(tf, graph) as sess:
            sess.run(tf.tables_initializer())
            saver.restore(sess, os.path.join(folder, "model"))
            losses = []
            for _ in range(STEPS):
                losses.append(sess.run(loss, feeds))
                sess.run(train, feeds)
            return losses, sess.run(values)


def plain(tf, variable):
    """Its value in a dtype that numpy has."""
    return tf.cast(variable, tf.float32) if variable.dtype.base_dtype == tf.bfloat16 else variable


def output_names(tf, folder):
    with tf.Graph().as_default():
        tf.train.import_meta_graph(os.path.join(folder, "model.meta"))
        pairs = [item.decode() for item in tf.get_collection("outputs")]
    return dict(zip(pairs[::2], pairs[1::2]))


def frozen(tf, name, folder, feeds):
    if not getattr(module_of(name), "FREEZES", True):
        return None
    with open(os.path.join(folder, "frozen.pb"), "rb") as file:
        graph_def = tf.GraphDef.FromString(file.read())
    names = output_names(tf, folder)
    with tf.Graph().as_default() as graph:
        keys = sorted(names)
        found = tf.import_graph_def(graph_def, return_elements=[names[key] for key in keys])
        with session(tf, graph) as sess:
            used = {"import/" + key: value for key, value in feeds.items() if used_in(graph, key)}
            return sess.run(dict(zip(keys, found)), used)


def used_in(graph, key):
    return any(op.name == "import/" + key[:-2] for op in graph.get_operations())


def served(tf, folder, feeds):
    with session(tf, tf.Graph()) as sess:
        path = os.path.join(folder, "served")
        assert tf.saved_model.loader.maybe_saved_model_directory(path)
        message = tf.saved_model.loader.load(sess, ["exchange", "serve"], path, import_scope="in")
        signature = message.signature_def["serving_default"]
        fetches = {key: "in/" + info.name for key, info in sorted(signature.outputs.items())}
        given = {"in/" + info.name: feeds[info.name] for key, info in signature.inputs.items()}
        return sess.run(fetches, given)


def predicted(tf, folder, feeds):
    path = os.path.join(folder, "served")
    predict = predictor_of(tf).from_saved_model(path, tags="serve,exchange")
    return dict(sorted(predict(feeds).items()))


def predictor_of(tf):
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.contrib.predictor")
    return tf.contrib.predictor


def values_path(folder):
    return os.path.join(folder, "values.json")


def write_values(values, folder):
    with open(values_path(folder), "w") as file:
        json.dump(values, file)


def read_values(folder):
    with open(values_path(folder)) as file:
        return json.load(file)
