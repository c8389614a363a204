"""Savers of unsupported objects, invalid paths, initializers that read missing tensors."""

import os
import tempfile

NONE = "/no/such/folder/model"


def one_variable_twice(tf):
    v = tf.get_variable("v", [2])
    tf.train.Saver([v, v])


def one_variable_under_two_names(tf):
    v = tf.get_variable("v", [2])
    tf.train.Saver({"a": v, "b": v})


def parts_of_two_variables(tf):
    cut = tf.fixed_size_partitioner(2)
    a = tf.get_variable("a", [4], partitioner=cut)
    b = tf.get_variable("b", [4], partitioner=cut)
    tf.train.Saver({"a": list(a) + list(b)})


def the_whole_and_its_name(tf):
    a = tf.get_variable("a", [4], partitioner=tf.fixed_size_partitioner(2))
    tf.train.Saver([a, a])


def not_built(tf):
    tf.get_variable("v", [2])
    saver = tf.train.Saver(defer_build=True)
    return lambda sess: saver.save(sess, NONE)


def saving_where_no_folder_is(tf):
    v = tf.get_variable("v", [2])
    saver = tf.train.Saver()

    def run(sess):
        sess.run(v.initializer)
        saver.save(sess, NONE)

    return run


def saving_into_the_state_file(tf):
    tf.get_variable("v", [2])
    saver = tf.train.Saver()
    return lambda sess: saver.save(sess, os.path.join(tempfile.gettempdir(), "checkpoint"))


def saving_no_session(tf):
    tf.get_variable("v", [2])
    tf.train.Saver().save(None, "/tmp/model")


def restoring(tf, prefix):
    saver = tf.train.Saver()

    def run(sess):
        here = os.getcwd()
        os.chdir(os.path.dirname(prefix))
        try:
            saver.restore(sess, "model")
        finally:
            os.chdir(here)

    return run


def in_a_folder(tf, name="model"):
    """A checkpoint of `v`, [2], float32."""
    folder = tempfile.mkdtemp()
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        sess.run(v.initializer)
        return tf.train.Saver().save(sess, os.path.join(folder, name))


def another_name(tf):
    tf.get_variable("w", [2])
    return restoring(tf, in_a_folder(tf))


def another_shape(tf):
    tf.get_variable("v", [3])
    return restoring(tf, in_a_folder(tf))


def another_dtype(tf):
    tf.get_variable("v", [2], tf.int64, tf.zeros_initializer())
    return restoring(tf, in_a_folder(tf))


def initializers_of_a_missing_folder(tf):
    tf.get_variable("v", [2])
    tf.train.init_from_checkpoint(NONE, {"v": "v"})


def initializers_of_another_shape(tf):
    v = tf.get_variable("v", [3])
    tf.train.init_from_checkpoint(in_a_folder(tf), {"v": v})


def initializers_of_a_scope_from_no_scope(tf):
    tf.get_variable("a/v", [2])
    tf.train.init_from_checkpoint(in_a_folder(tf), {"v": "a/"})


def a_folder_without_checkpoints(tf):
    folder = os.path.join(tempfile.gettempdir(), "tfmini_no_checkpoints_here")
    os.makedirs(folder, exist_ok=True)
    tf.train.list_variables(folder)


def assigning_what_is_missing(tf):
    v = tf.get_variable("w", [2])
    tf.contrib.framework.assign_from_checkpoint(in_a_folder(tf), [v])


def assigning_another_shape(tf):
    v = tf.get_variable("v", [3])
    tf.contrib.framework.assign_from_checkpoint(in_a_folder(tf), [v])


def a_state_without_a_checkpoint(tf):
    folder = os.path.join(tempfile.gettempdir(), "tfmini_empty_state")
    os.makedirs(folder, exist_ok=True)
    open(folder + "/checkpoint", "w").close()
    tf.train.latest_checkpoint(folder)


def _version_1(tf, names, values, specs):
    given = {"tensor_names": names, "shapes_and_slices": specs, "data": values}
    return tf.raw_ops.SaveSlices(filename=in_a_folder(tf), **given)


def version_1_of_fewer_names(tf):
    names = tf.placeholder_with_default(["a"], None)
    return _version_1(
        tf, names, [tf.ones([]), tf.ones([])], tf.placeholder_with_default([""], None)
    )
