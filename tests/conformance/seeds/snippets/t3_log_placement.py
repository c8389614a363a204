import tfmini as tf

with tf.device("/cpu:0"):
    a = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[2, 3], name="a")
    b = tf.placeholder(tf.float32, [3, 2], name="b")
c = tf.matmul(a, b, name="c")
v = tf.Variable(1.0, name="v")
d = tf.add(c, v, name="d")
with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
    sess.run(v.initializer)
    sess.run(d, {b: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]})
    sess.run(c, {b: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]})
