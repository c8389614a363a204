import os
import tempfile

import tfmini as tf

os.chdir(tempfile.mkdtemp())
with tf.Graph().as_default(), tf.Session() as sess:
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable([3.0, 4.0], name="b")
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, "model")


def attempt(build, prefix="model"):
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = build()
        try:
            tf.train.Saver().restore(sess, prefix)
            print(sess.run(variables))
        except (tf.errors.OpError, ValueError) as error:
            text = getattr(error, "message", str(error))
            if prefix.endswith(".data-00000-of-00001"):
                text = text.split(":")[0]
            print(type(error).__name__, text.split("]]")[0])
            print(getattr(getattr(error, "op", None), "name", None))


attempt(lambda: [tf.get_variable(n, [2]) for n in "abd"])
attempt(lambda: [tf.get_variable(n, [2]) for n in ("z", "a", "y")])
attempt(lambda: tf.get_variable("a", [3]))
attempt(lambda: tf.get_variable("a", [2, 1]))
attempt(lambda: tf.get_variable("a", [2], tf.float64))
attempt(lambda: tf.get_variable("a", [2], tf.int32))
attempt(lambda: tf.get_variable("a", [3], use_resource=True))
attempt(lambda: list(tf.get_variable("a", [4], partitioner=tf.fixed_size_partitioner(2))))
attempt(lambda: list(tf.get_variable("a", [2], partitioner=tf.fixed_size_partitioner(2))))
attempt(lambda: tf.get_variable("a", [2]))
attempt(lambda: tf.get_variable("a", [2]), "model.index")
attempt(lambda: tf.get_variable("a", [2]), "model.meta")
attempt(lambda: tf.get_variable("a", [2]), "model.data-00000-of-00001")
attempt(lambda: tf.get_variable("a", [2]), "other")
with tf.Graph().as_default(), tf.Session() as sess:
    wide = tf.get_variable("a", [2, 1])
    tf.train.Saver(reshape=True).restore(sess, "model")
    print(sess.run(wide))
