import os
import tempfile

import numpy as np
import tensorflow as tf

a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[5.0, 6.0], [7.0, 8.0]])
labels, logits = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.5, 1.5], [2.0, -1.0]])
fetches = {
    "concat": tf.concat(0, [a, b]),
    "split": tf.split(1, 2, a),
    "concat_v2": tf.concat_v2([a, b], 1),
    "pack": tf.pack([a, b]),
    "unpack": tf.unpack(a),
    "mul": tf.mul(a, b),
    "sub": tf.sub(a, b),
    "neg": tf.neg(a),
    "select": tf.select([[True, False], [False, True]], a, b),
    "softmax": tf.nn.softmax_cross_entropy_with_logits(logits, labels),
    "sigmoid": tf.nn.sigmoid_cross_entropy_with_logits(logits, targets=labels),
}
weights = tf.Variable(np.arange(10.0).reshape(5, 2) / 10, dtype=tf.float32)
biases = tf.Variable(np.zeros(5), dtype=tf.float32)
fetches["nce"] = tf.nn.nce_loss(
    weights,
    biases,
    a,
    tf.constant([[0], [3]]),
    2,
    5,
    sampled_values=([1, 2], [[0.5], [0.5]], [0.2, 0.3]),
)
tf.scalar_summary("loss", fetches["nce"][0])
tf.image_summary("pictures", tf.zeros([2, 3, 3, 1]), max_images=1)
merged = tf.merge_all_summaries()
folder = tempfile.mkdtemp()
with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    for name, value in sorted(sess.run(fetches).items()):
        print(name, np.round(value, 5).tolist())
    writer = tf.train.SummaryWriter(folder, graph_def=sess.graph_def)
    writer.add_summary(sess.run(merged), 1)
    writer.close()
(path,) = os.listdir(folder)
for event in tf.train.summary_iterator(os.path.join(folder, path)):
    print(event.WhichOneof("what"), [value.tag for value in event.summary.value])
