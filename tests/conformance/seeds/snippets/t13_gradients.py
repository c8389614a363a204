import tfmini as tf

w1 = tf.Variable([[1, 2]])
w2 = tf.Variable([[3, 4]])
res = tf.matmul(w1, [[2], [1]])
grads = tf.gradients(res, [w1, w2])
print(grads)
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    try:
        print(sess.run(grads))
    except TypeError as error:
        print(type(error).__name__, error)

tf.reset_default_graph()
w1 = tf.Variable([[1.0, 2.0]])
w2 = tf.Variable([[3.0, 4.0]])
res = tf.matmul(w1, [[2.0], [1.0]])
print(tf.gradients(res, [w1, w2]))
grads = tf.gradients(res, [w1])
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    print(sess.run(grads))
