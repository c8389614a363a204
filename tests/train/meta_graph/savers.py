"""Savers in meta graphs, and the graphs of SavedModels."""

import os
import tempfile


def model(tf, name="v"):
    v = tf.Variable([1.0, 2.0], name=name)
    with tf.device("/cpu:0"):
        tf.get_variable("r", [], use_resource=True, initializer=tf.zeros_initializer())
    return v


def one_saver(tf):
    model(tf)
    return tf.train.Saver().export_meta_graph()


def settings_of_savers(tf):
    v = model(tf)
    saver = tf.train.Saver(
        {"other": v}, max_to_keep=2, keep_checkpoint_every_n_hours=1.5, name="mine", reshape=True
    )
    return saver.export_meta_graph(strip_default_attrs=True)


def saver_in_its_collection(tf):
    v = model(tf)
    for name in ("first", "second"):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v], name=name))
    return tf.train.Saver().export_meta_graph()


def other_savers_cleared(tf):
    v = model(tf)
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v], name="first"))
    saver = tf.train.Saver()
    tf.train.Saver([v], name="deep/er/third")
    return saver.export_meta_graph(clear_extraneous_savers=True)


def all_savers_cleared(tf):
    v = model(tf)
    tf.train.Saver([v], name="first")
    tf.train.Saver()
    return tf.train.export_meta_graph(clear_extraneous_savers=True)


def saver_of_a_scope(tf):
    with tf.name_scope("scope"):
        v = model(tf)
        saver = tf.train.Saver([v], name="keeper")
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    return saver.export_meta_graph(export_scope="scope")


def imported_savers(tf):
    v = model(tf)
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v], name="first"))
    message = tf.train.Saver().export_meta_graph()
    with tf.Graph().as_default():
        saver = tf.train.import_meta_graph(message, import_scope="inside")
        return saver.export_meta_graph()


def in_a_fresh_graph(tf):
    """`import_meta_graph` without a SaverDef: a new saver, or none."""
    model(tf)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        return tf.train.import_meta_graph(message).export_meta_graph()


def served(tf, **kwargs):
    """The graph of a SavedModel with a single variable."""
    folder = os.path.join(tempfile.mkdtemp(), "model")
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.Variable(2.0, name="v", use_resource=True)
    y = tf.multiply(x, v, name="y")
    with tf.Session(graph=graph) as sess:
        sess.run(v.initializer)
        builder = tf.saved_model.builder.SavedModelBuilder(folder)
        signature = tf.saved_model.signature_def_utils.predict_signature_def({"x": x}, {"y": y})
        builder.add_meta_graph_and_variables(sess, ["a", "b"], {"key": signature}, **kwargs)
        builder.save()
    with tf.Session(graph=tf.Graph()) as sess:
        return tf.saved_model.loader.load(sess, ["b", "a"], folder)


def saved_model(tf):
    return served(tf)


def saved_model_without_defaults(tf):
    return served(tf, strip_default_attrs=True, clear_devices=True)


def saved_model_with_assets(tf):
    paths = [tf.constant("README.md", name="a"), tf.constant("README.md", name="b")]
    paths.append(tf.constant(os.path.join("tests", "README.md"), name="c"))
    return served(tf, assets_collection=paths, main_op=tf.no_op(name="first"))


def saved_model_with_an_old_init_op(tf):
    return served(tf, legacy_init_op=tf.no_op(name="first"))


def second_graph(tf):
    folder = os.path.join(tempfile.mkdtemp(), "model")
    builder = tf.saved_model.Builder(folder)
    with tf.Session(graph=tf.Graph()) as sess:
        v = tf.Variable(1.0, name="v")
        sess.run(v.initializer)
        builder.add_meta_graph_and_variables(sess, ["train"])
    with tf.Graph().as_default():
        v = tf.Variable(3.0, name="v")
        x = tf.placeholder(tf.string, [None], name="x")
        y = tf.add(v, [1.0], name="y")
        utils = tf.saved_model.signature_def_utils
        signatures = {
            "regress": utils.regression_signature_def(x, y),
            "classify": utils.classification_signature_def(x, x, y),
            "classes": utils.classification_signature_def(x, x, None),
            "scores": utils.classification_signature_def(x, None, y),
            "own": utils.build_signature_def(method_name="own"),
        }
        builder.add_meta_graph(["serve"], signatures)
    builder.save()
    with tf.Session(graph=tf.Graph()) as sess:
        tf.saved_model.loader.load(sess, ["train"], folder)
    with tf.Session(graph=tf.Graph()) as sess:
        return tf.saved_model.load(sess, ["serve"], folder)


def simply_saved(tf):
    folder = os.path.join(tempfile.mkdtemp(), "model")
    x = tf.sparse_placeholder(tf.float32, [None, 3], name="x")
    v = tf.Variable(2.0, name="v")
    y = tf.sparse_reduce_sum(x) * v
    tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, tf.constant("README.md"))
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.saved_model.simple_save(sess, folder, {"x": x}, {"y": y}, tf.tables_initializer())
    with tf.Session(graph=tf.Graph()) as sess:
        return tf.saved_model.loader.load(sess, ["serve"], folder, import_scope="in")
