import numpy as np

import tfmini as tf

maps = np.random.RandomState(5).randn(2, 3, 3, 8).astype(np.float32)
x = tf.constant(maps)
plain = tf.nn.local_response_normalization(x)
alexnet = tf.nn.lrn(x, depth_radius=2, bias=2.0, alpha=1e-4, beta=0.75)
mean, variance = tf.nn.moments(x, [0, 1, 2])
scale, offset = tf.constant(np.linspace(1, 2, 8, dtype=np.float32)), tf.zeros([8])
normal = tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)
print(plain.get_shape(), normal.get_shape())
with tf.Session() as sess:
    print(sess.run(plain)[0, 1, 1], sess.run(alexnet)[1, 2, 0])
    print(sess.run(mean), sess.run(variance))
    print(sess.run(normal)[1, 0, 2])
    print(sess.run(tf.gradients(tf.reduce_sum(tf.square(alexnet)), x)[0])[0, 0, 0])
    print(sess.run(tf.gradients(tf.reduce_sum(tf.square(normal)), scale)[0]))
