import numpy as np

import tfmini as tf

sess = tf.InteractiveSession()
t = tf.constant([[[1, 1, 1], [2, 2, 2]], [[3, 3, 3], [4, 4, 4]], [[5, 5, 5], [6, 6, 6]]])
print(tf.reshape(t, [-1, 9]).eval())
t1 = [[1, 2, 3], [4, 5, 6]]
t2 = [[7, 8, 9], [10, 11, 12]]
print(tf.concat([t1, t2], 0).eval())
print(tf.concat([t1, t2], 1).eval())
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
for reduce in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod):
    print(reduce(x).eval(), reduce(x, 0).eval(), reduce(x, 1, keepdims=True).eval())
print(tf.reduce_all(x > 1).eval(), tf.reduce_any(x > 1, 1).eval(), tf.reduce_logsumexp(x).eval())
ones = tf.ones([1, 2, 1, 3, 1, 1])
print(tf.shape(tf.squeeze(ones)).eval(), tf.shape(tf.squeeze(ones, [2, 4])).eval())
split0, split1, split2 = tf.split(tf.zeros([5, 30]), 3, 1)
print(tf.shape(split0).eval(), split1.get_shape(), split2)
mat = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9]).reshape((3, -1))
ids = [[1, 2], [0, 1]]
res = tf.nn.embedding_lookup(mat, ids)
print(repr(res.eval()))
print(tf.nn.embedding_lookup(mat, 2).eval(), tf.nn.embedding_lookup(mat, [[[0]]]).eval())
for axis in (0, 1, -1):
    print(tf.shape(tf.expand_dims([1, 2], axis)).eval())
t2 = tf.zeros([2, 3, 5])
for axis in (0, 2, 3):
    print(tf.expand_dims(t2, axis).get_shape())
out = tf.slice([[1, 2, 3], [4, 5, 6]], [1, 0], [1, 2])
print(out.eval())
y = np.arange(24).reshape([2, 3, 4])
print(tf.slice(y, [1, 0, 0], [1, 2, 3]).eval())
a = np.array([[1, 2, 3, 4, 5], [4, 5, 6, 7, 8], [9, 10, 11, 12, 13]])
print(repr(tf.slice(a, [1, 2], [-1, 2]).eval()))
x, y, z = [1, 4], [2, 5], [3, 6]
print(tf.stack([x, y, z]).eval())
print(tf.stack([x, y, z], axis=1).eval())
temp = tf.range(0, 10) * 10 + tf.constant(1, shape=[10])
temp2 = tf.gather(temp, [1, 5, 9])
print(temp.eval())
print(temp2.eval())
fed = tf.placeholder(tf.float32, shape=[None, 227, 227, 3])
print(fed.get_shape(), fed.get_shape().as_list(), fed.get_shape()[1])
print(tf.shape(fed)[0].eval({fed: np.zeros([4, 227, 227, 3])}))
sess.close()
