import numpy as np

import tfmini as tf

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
y = tf.placeholder(tf.int32, [None], name="y")
random = np.random.RandomState(2)


def weights(shape):
    return tf.Variable((0.2 * random.randn(*shape)).astype(np.float32))


same = tf.nn.conv2d(x, weights([3, 3, 1, 4]), strides=[1, 1, 1, 1], padding="SAME")
same = tf.nn.relu(tf.nn.bias_add(same, tf.Variable(tf.constant(0.1, shape=[4]))))
pooled = tf.nn.max_pool(same, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
valid = tf.nn.conv2d(pooled, weights([3, 3, 4, 6]), strides=[1, 1, 1, 1], padding="VALID")
valid = tf.nn.relu(tf.nn.bias_add(valid, tf.Variable(tf.constant(0.1, shape=[6]))))
averaged = tf.nn.avg_pool(valid, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID")
print(same.get_shape(), pooled.get_shape(), valid.get_shape(), averaged.get_shape())
logits = tf.matmul(tf.reshape(averaged, [-1, 6]), weights([6, 3]))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
feed = {x: random.rand(6, 8, 8, 1), y: [0, 1, 2, 0, 1, 2]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        print(sess.run([loss, train], feed)[0])
    print(sess.run(tf.shape(averaged), feed), sess.run(logits, feed)[0])
