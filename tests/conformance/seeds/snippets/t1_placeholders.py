import numpy as np

import tfmini as tf

x = tf.placeholder(tf.float32, [None, 784])
print(x)
total = tf.reduce_sum(x, 1)
constant = tf.constant([1.0, 2.0], name="constant")
doubled = constant * 2.0
with tf.Session() as sess:
    print(sess.run(total, feed_dict={x: np.ones([3, 784])}))
    print(sess.run(total, feed_dict={x.name: np.ones([1, 784])}))
    print(sess.run(total, feed_dict={"Placeholder:0": np.zeros([2, 784])}))
    print(sess.run(doubled), sess.run(doubled, {constant: [5.0, 6.0]}))
    print(sess.run(doubled, {doubled: [1.0, 1.0]}))
    try:
        sess.run(total)
    except tf.errors.InvalidArgumentError as error:
        print(error.message.split("\n")[0])
    try:
        sess.run(total, {x: np.ones([3, 783])})
    except ValueError as error:
        print(error)


class Model:
    def __init__(self):
        self.x = tf.placeholder(dtype=tf.float32, shape=[None, 1])
        self.label = tf.placeholder(dtype=tf.float32, shape=[None, 1])
        w = tf.get_variable("w", shape=[1, 1])
        self.predict = tf.matmul(self.x, w)
        self.loss = tf.reduce_mean(tf.reduce_sum(tf.square(self.label - self.predict), axis=1))
        self.train_op = tf.train.GradientDescentOptimizer(0.01).minimize(self.loss)


with tf.Graph().as_default():
    with tf.name_scope("train"):
        with tf.variable_scope("var1", dtype=tf.float32):
            model1 = Model()
    with tf.name_scope("test"):
        with tf.variable_scope("var1", reuse=True, dtype=tf.float32):
            model2 = Model()
    with tf.Session() as sess:
        tf.global_variables_initializer().run()
        feed = {model2.x.name: np.ones([4, 1]), model2.label: np.ones([4, 1])}
        sess.run(model2.train_op, feed)
        try:
            sess.run([model1.predict, model2.loss], feed)
        except tf.errors.InvalidArgumentError as error:
            print(error.message.split("\n")[0])
            print("[[node train/var1/Placeholder" in error.message, error.op.name)
    print([v.name for v in tf.global_variables()])
