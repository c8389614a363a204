"""SavedModels that cannot be saved or loaded."""

import os
import shutil
import tempfile


def fresh(name="model"):
    """An unused path, the same each time."""
    path = os.path.join(tempfile.gettempdir(), "tfmini_bad_input_saved_models", name)
    shutil.rmtree(path, ignore_errors=True)
    return path


def written(name, file, data):
    """A folder with one file of these bytes."""
    folder = fresh(name)
    os.makedirs(folder)
    with open(os.path.join(folder, file), "wb") as out:
        out.write(data)
    return folder


def builder(tf):
    return tf.saved_model.builder.SavedModelBuilder(fresh())


def added(tf, **kwargs):
    """A function that adds a graph with a variable and these arguments to a new SavedModel."""
    v = tf.Variable(1.0, name="v")

    def add(sess):
        sess.run(v.initializer)
        builder(tf).add_meta_graph_and_variables(sess, ["serve"], **kwargs)

    return add


def saved(tf):
    """A SavedModel on disk."""
    folder = fresh("saved")
    with tf.Session(graph=tf.Graph()) as sess:
        x = tf.placeholder(tf.float32, name="x")
        v = tf.Variable(1.0, name="v")
        sess.run(v.initializer)
        tf.saved_model.simple_save(sess, folder, {"x": x}, {"y": x * v})
    return folder


def folder_is_a_file(tf):
    folder = written("full", "file", b"")
    tf.saved_model.builder.SavedModelBuilder(os.path.join(folder, "file"))


def values_twice(tf):
    v = tf.Variable(1.0, name="v")

    def add(sess):
        sess.run(v.initializer)
        made = builder(tf)
        made.add_meta_graph_and_variables(sess, ["serve"])
        made.add_meta_graph_and_variables(sess, ["serve"])

    return add


def variable_has_no_value(tf):
    tf.Variable(1.0, name="v")
    return lambda sess: builder(tf).add_meta_graph_and_variables(sess, ["serve"])


def tensor_without_a_name(tf):
    info = tf.TensorInfo(dtype=tf.float32.as_datatype_enum)
    signature = tf.saved_model.build_signature_def({"x": info})
    return added(tf, signature_def_map={"key": signature})


def tensor_without_a_dtype(tf):
    signature = tf.saved_model.build_signature_def(None, {"x": tf.TensorInfo(name="x:0")})
    return added(tf, signature_def_map={"key": signature})


def other_reserved_key(tf):
    signature = tf.saved_model.build_signature_def()
    return added(tf, signature_def_map={"__saved_model_train_op": signature})


def main_op_is_there(tf):
    tf.add_to_collection(tf.saved_model.constants.LEGACY_INIT_OP_KEY, tf.no_op())
    return added(tf, main_op=tf.no_op())


def folder_has_something_else(tf):
    folder = written("else", "file", b"")
    return lambda sess: tf.saved_model.loader.load(sess, ["serve"], folder)


def message_is_garbage(tf):
    folder = written("garbage", "saved_model.pb", b"\xff\xfegarbage")
    return lambda sess: tf.saved_model.loader.load(sess, ["serve"], folder)


def text_is_garbage(tf):
    folder = written("garbage", "saved_model.pbtxt", b"garbage: 3")
    return lambda sess: tf.saved_model.loader.load(sess, ["serve"], folder)


def other_tags(tf):
    folder = saved(tf)
    return lambda sess: tf.saved_model.loader.load(sess, ["train"], folder)


def tag_is_a_string(tf):
    folder = saved(tf)
    return lambda sess: tf.saved_model.loader.load(sess, "serve", folder)


def values_are_gone(tf):
    folder = saved(tf)
    shutil.rmtree(os.path.join(folder, "variables"))
    return lambda sess: tf.saved_model.loader.load(sess, ["serve"], folder)


def unknown_argument_of_the_loader(tf):
    folder = saved(tf)
    return lambda sess: tf.saved_model.loader.load(sess, ["serve"], folder, scope="s")


def simply_into_a_full_folder(tf):
    folder = written("full", "file", b"")
    x = tf.constant(1.0)
    return lambda sess: tf.saved_model.simple_save(sess, folder, {"x": x}, {"y": x})


def simply_without_inputs(tf):
    x = tf.constant(1.0)
    return lambda sess: tf.saved_model.simple_save(sess, fresh(), {}, {"y": x})
