import tfmini as tf

with tf.variable_scope("foo"):
    v = tf.get_variable("v", [1])
    print(v.name)
    tf.get_variable_scope().reuse_variables()
    v1 = tf.get_variable("v", [1])
    print(v1 is v)
with tf.variable_scope("foo", reuse=True):
    print(tf.get_variable("v", [1]) is v)
with tf.variable_scope("foo"):
    with tf.variable_scope("bar"):
        print(tf.get_variable("v", [1]).name)
for _ in range(2):
    with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
        print(tf.get_variable("w", [2]).name, len(tf.global_variables()))
with tf.variable_scope("scope"):
    print(tf.get_variable("w", shape=[1]).name)
    with tf.variable_scope("scope"):
        print(tf.get_variable("w", shape=[1]).name)
with tf.variable_scope("yin"):
    print(tf.get_variable("w", shape=[1]).name)
    scope = tf.get_variable_scope()
    with tf.variable_scope(scope):
        try:
            tf.get_variable("w", shape=[1])
        except ValueError as error:
            print(str(error).split("Originally")[0])
with tf.variable_scope("elsewhere"):
    with tf.variable_scope(scope, reuse=True) as again:
        print(tf.get_variable("w", shape=[1]).name, again.name, again.original_name_scope)
    print(tf.get_variable("w", shape=[1]).name)
try:
    with tf.variable_scope("foo", reuse=True):
        tf.get_variable("never", [1])
except ValueError as error:
    print(error)


def default(name=None):
    with tf.variable_scope(name, default_name="scope") as made:
        w = tf.get_variable("w", shape=[2, 10])
        return made.name, w.name


print(default(), default(), default("given"))
with tf.variable_scope("wide", dtype=tf.float64, initializer=tf.constant_initializer(3.0)) as wide:
    x = tf.get_variable("x", [2])
    print(x, wide.dtype, wide.reuse, wide.original_name_scope)
    with tf.variable_scope("inner") as inner:
        print(tf.get_variable("y", [1]), inner.original_name_scope)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(x))
print([v.name for v in tf.trainable_variables()])
