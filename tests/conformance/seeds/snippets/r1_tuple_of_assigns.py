import numpy as np

import tfmini as tf

x = tf.placeholder(shape=[None, 5], dtype=tf.float32, name="x")
W = tf.Variable(np.zeros([5, 5]), dtype=tf.float32, name="W")
b = tf.Variable(np.zeros([5]), dtype=tf.float32, name="b")
y = tf.add(tf.matmul(x, W), b)

with tf.Session() as session:
    batch = np.ones([2, 5])
    session.run(tf.global_variables_initializer())
    print(session.run(y, feed_dict={x: batch}))

    store = {v.name: v.eval(session) for v in tf.trainable_variables()}
    print(store)

    new = {"W:0": np.ones([5, 5]), "b:0": np.ones([5])}
    session.run(tf.tuple([tf.assign(var, new[var.name]) for var in tf.trainable_variables()]))
    print(session.run(y, feed_dict={x: batch}))

    session.run(tf.tuple([tf.assign(var, store[var.name]) for var in tf.trainable_variables()]))
    print(session.run(y, feed_dict={x: batch}))
