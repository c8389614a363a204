import tfmini as tf

sess = tf.InteractiveSession()
print(tf.sparse_to_dense(2, [5], 1.0).eval())
print(tf.sparse_to_dense([0, 3], [5], 7, -1).eval())
print(tf.sparse_to_dense([0, 3], [5], [7, 8], -1).eval())
print(tf.sparse_to_dense([[0, 1], [2, 0]], [3, 4], [1.5, 2.5]).eval())
BATCHSIZE = 6
label = tf.expand_dims(tf.constant([0, 2, 3, 6, 7, 9]), 1)
index = tf.expand_dims(tf.range(0, BATCHSIZE), 1)
concated = tf.concat([index, label], 1)
print(concated.eval())
onehot_labels = tf.sparse_to_dense(concated, tf.stack([BATCHSIZE, 10]), 1.0, 0.0)
print(onehot_labels)
print(onehot_labels.eval())
for places in ([3, 0], [0, 0], [0, 5]):
    try:
        tf.sparse_to_dense(places, [5], 1.0).eval()
    except tf.errors.InvalidArgumentError as error:
        print(error.message.splitlines()[0])
try:
    tf.sparse_to_dense([0, 1], [5], [1.0, 2.0, 3.0]).eval()
except tf.errors.InvalidArgumentError as error:
    print(error.message.splitlines()[0])
sess.close()
