import tfmini as tf

default = tf.Variable(initial_value=[1.0, 2.0])
still = tf.Variable(1, trainable=False, name="still")
own = tf.Variable(2, collections=["own"], name="own")
unknown = tf.Variable(
    tf.placeholder_with_default([1.0], None), validate_shape=False, name="unknown"
)
cached = tf.Variable(3.0, caching_device="/cpu:0", name="cached")
typed = tf.Variable([1, 2], dtype=tf.float64, name="typed")
expected = tf.Variable([[1.0]], expected_shape=[1, 1], name="expected")
bounded = tf.Variable(5.0, constraint=lambda t: tf.clip_by_value(t, 0.0, 1.0), name="bounded")
again = tf.Variable(variable_def=typed.to_proto(), import_scope=None)
for v in (default, still, own, unknown, cached, typed, expected, bounded, again):
    print(v.name, v.shape, v.dtype, v.trainable, v.device, v.op.type, v.initial_value)
print([v.name for v in tf.trainable_variables()])
print([v.name for v in tf.get_collection("own")])
print(bounded.constraint is not None, default.constraint)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(bounded))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.variables_initializer(tf.get_collection("own")))
    print(sess.run([default, still, own, unknown, cached, typed, expected, again]))
    sess.run(train)
    print(sess.run(bounded))
print(typed.to_proto())
