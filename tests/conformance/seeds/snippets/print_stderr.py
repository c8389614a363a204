import tfmini as tf

x = tf.constant([[1.5, 2.0], [3.25, -4.0]])
with tf.Session() as sess:
    sess.run(tf.Print(x, [x], "all: "))
    sess.run(tf.Print(x, [x, tf.shape(x), "text", True], "several: ", summarize=2))
    first = tf.Print(x, [x[0]], "only twice: ", first_n=2)
    for _ in range(4):
        sess.run(first)
    sess.run(tf.Print(x, [tf.range(10)]))
    sess.run(
        tf.Print(x, [tf.constant([["a", "b"]]), 1e-5, 123456789.0, [True, False], 7], "kinds ")
    )
    sess.run(tf.Print(x, [tf.zeros([0]), tf.ones([2, 2, 2])], "shapes ", summarize=100))
