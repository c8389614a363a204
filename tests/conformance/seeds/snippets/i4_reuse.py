import tfmini as tf

tf.set_random_seed(1)


def test(b):
    a = tf.get_variable(
        name="test", shape=[2, 2], initializer=tf.truncated_normal_initializer(stddev=0.02)
    )
    a = tf.matmul(b, a)
    return a


with tf.variable_scope("test") as scope:
    b = tf.constant([[1.0, 1.0], [2.0, 2.0]])
    d = tf.constant([[1.0, 1.0], [2.0, 2.0]])
    c = test(b)
    scope.reuse_variables()
    d = test(d)
with tf.variable_scope("test1"):
    e = test(tf.constant([[1.0, 1.0], [2.0, 2.0]]))
with tf.variable_scope("test1", reuse=True):
    f = test(tf.constant([[1.0, 1.0], [2.0, 2.0]]))
with tf.Session() as sess:
    init = tf.global_variables_initializer()
    sess.run(init)
    print(sess.run(c))
    print(sess.run(d))
    print(sess.run(e))
    print(sess.run(f))
print([v.name for v in tf.global_variables()])
try:
    with tf.variable_scope("test", reuse=False):
        test(tf.constant([[1.0, 1.0], [2.0, 2.0]]))
except ValueError as error:
    print(str(error).split("Originally")[0])
