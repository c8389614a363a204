import os
import tempfile

import numpy as np

import tfmini as tf

a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[5.0, 6.0], [7.0, 8.0]])
labels, logits = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.5, 1.5], [2.0, -1.0]])
fetches = {
    "concat": tf.concat([a, b], 0),
    "split": tf.split(a, 2, 1),
    "concat_v2": tf.concat([a, b], 1),
    "pack": tf.stack([a, b]),
    "unpack": tf.unstack(a),
    "mul": tf.multiply(a, b),
    "sub": tf.subtract(a, b),
    "neg": tf.negative(a),
    "select": tf.where([[True, False], [False, True]], a, b),
    "softmax": tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits),
    "sigmoid": tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=labels),
}
weights = tf.Variable(np.arange(10.0).reshape(5, 2) / 10, dtype=tf.float32)
biases = tf.Variable(np.zeros(5), dtype=tf.float32)
fetches["nce"] = tf.nn.nce_loss(
    weights,
    biases,
    tf.constant([[0], [3]]),
    a,
    2,
    5,
    sampled_values=([1, 2], [[0.5], [0.5]], [0.2, 0.3]),
)
tf.summary.scalar("loss", fetches["nce"][0])
tf.summary.image("pictures", tf.zeros([2, 3, 3, 1]), max_outputs=1)
merged = tf.summary.merge_all()
folder = tempfile.mkdtemp()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for name, value in sorted(sess.run(fetches).items()):
        print(name, np.round(value, 5).tolist())
    writer = tf.summary.FileWriter(folder, graph=sess.graph)
    writer.add_summary(sess.run(merged), 1)
    writer.close()
(path,) = os.listdir(folder)
for event in tf.train.summary_iterator(os.path.join(folder, path)):
    print(event.WhichOneof("what"), [value.tag for value in event.summary.value])
