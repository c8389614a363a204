"""Word matrices remapped to other vocabularies; TensorBoard plugin files; a session's events."""

import importlib
import os

import numpy as np


def _vocabularies(stage):
    paths = {}
    for name, words in (
        ("old", "a b c d"),
        ("new", "d x b e a"),
        ("columns", "p q r"),
        ("others", "r p s"),
    ):
        paths[name] = os.path.join(stage.folder, name)
        with open(paths[name], "w") as file:
            file.write("\n".join(words.split()) + "\n")
    return paths


def _checkpoint(tf, stage):
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3) + 1
    with tf.Graph().as_default(), tf.Session() as session:
        made = [tf.Variable(matrix, name="m"), tf.Variable(matrix[0], name="bias")]
        made.append(tf.Variable(matrix[:, :1] * 10, name="column"))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(made).save(session, stage.folder + "/saved")


def _filler(tf):
    return lambda shape, dtype=tf.float32, partition_info=None: -tf.ones(shape, dtype)


def _loaded(tf, stage, cases):
    for name, function in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            made = function()
            stage.say(name, made.shape, made.dtype)
            if hasattr(made, "initializer"):
                session.run(made.initializer)
            stage.say(session.run(made))


def matrices(tf, stage):
    words, path = _vocabularies(stage), _checkpoint(tf, stage)
    load = tf.contrib.framework.load_and_remap_matrix_initializer
    ones = _filler(tf)
    rows = {"old_row_vocab_file": words["old"], "new_row_vocab_file": words["new"]}
    _loaded(
        tf,
        stage,
        {
            "in parts": lambda: tf.concat(
                [
                    load(path, "m", 5, 3, num_row_oov_buckets=3, initializer=ones, **rows)(
                        [2, 3], partition_info=_info(tf, [8, 3], [offset, 0])
                    )
                    for offset in (0, 2, 4, 6)
                ],
                0,
            )
        },
    )
    stage.attempts(lambda: load(path, "m", 4, 3, new_col_vocab_file="a", **rows)([4, 3]))


def _info(tf, shape, offset):
    """The partition info passed to an initializer."""
    found = []

    def own(given, dtype=None, partition_info=None):
        found.append(partition_info)
        return tf.zeros(given, dtype)

    count = shape[0] // 2
    with tf.Graph().as_default():
        tf.get_variable("v", shape, initializer=own, partitioner=tf.fixed_size_partitioner(count))
    return next(info for info in found if info.var_offset == offset)


def embeddings_and_biases(tf, stage):
    words, path = _vocabularies(stage), _checkpoint(tf, stage)
    f = tf.contrib.framework
    fill = _filler(tf)
    _loaded(
        tf,
        stage,
        {
            "few old": lambda: f.load_embedding_initializer(
                path, "m", 5, 3, words["old"], words["new"], 2, 1, fill, 2
            )([6, 3]),
            "slots": lambda: f.load_variable_slot_initializer(
                path,
                "m",
                _info(tf, [6, 4], [0, 0]),
                5,
                3,
                words["old"],
                words["new"],
                words["columns"],
                words["others"],
                1,
                1,
                fill,
                2,
            )([6, 4]),
            "bias": lambda: f.load_linear_multiclass_bias_initializer(
                path, "column", 3, words["old"], words["new"], 1, fill
            )([4, 1]),
        },
    )


def plugins(tf, stage):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    try:
        assets = importlib.import_module(package + ".python.summary.plugin_asset")
    except ImportError:
        assets = importlib.import_module("tfmini._src.train.events.plugin_assets")

    class One(assets.PluginAsset):
        plugin_name = "one"

        def __init__(self):
            self.files = {"a.txt": "text", "b": "more\n"}

        def assets(self):
            return self.files

    class Same(assets.PluginAsset):
        plugin_name = "one"

        def assets(self):
            return {}

    class Nameless(assets.PluginAsset):
        def assets(self):
            return {}

    get = assets.get_plugin_asset
    first = get(One)
    stage.say(get(One) is first, type(first).__name__, len(assets.get_all_plugin_assets()))
    stage.attempts(lambda: get(Same), lambda: get(Nameless))
    with tf.Graph().as_default() as graph:
        stage.say(assets.get_all_plugin_assets())
        stage.say(get(One) is first)
    stage.say(len(assets.get_all_plugin_assets(graph)), get(One, graph) is first)
    writer = tf.summary.FileWriter(stage.folder + "/log")
    writer.add_graph(tf.get_default_graph())
    first.files["b"] = "again"
    writer.add_graph(tf.get_default_graph(), 3)
    writer.close()
    for root, folders, files in sorted(os.walk(stage.folder + "/log")):
        stage.say(root, sorted(folders), sorted(f for f in files if "tfevents" not in f))
        for name in sorted(files):
            if "tfevents" not in name:
                stage.say(name, open(os.path.join(root, name)).read().split("\n"))
    tf.add_to_collection("__tensorboard_plugin_asset__one", first)
    stage.attempt(get, One)
