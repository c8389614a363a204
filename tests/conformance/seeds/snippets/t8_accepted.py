import os
import tempfile

import numpy as np

import tfmini as tf

x = tf.Variable([[1.0, 2.0], [3.0, 5.0]])
sums = [
    tf.reduce_sum(x, reduction_indices=[1], keep_dims=True),
    tf.reduce_mean(x, reduction_indices=0),
    tf.argmax(x, dimension=1),
    tf.nn.softmax(x, dim=0),
    tf.to_int32(x),
    tf.div(x, 2.0),
    tf.expand_dims(x, dim=0),
    tf.squeeze(tf.zeros([1, 2]), squeeze_dims=[0]),
]
folder = tempfile.mkdtemp()
with tf.Session() as sess:
    tf.initialize_all_variables().run()
    for value in sess.run(sums):
        print(np.round(value, 5).tolist())
    writer = tf.summary.FileWriter(folder, graph_def=sess.graph_def)
    writer.close()
(path,) = os.listdir(folder)
events = tf.train.summary_iterator(os.path.join(folder, path))
print([event.WhichOneof("what") for event in events])
print([v.name for v in tf.all_variables()])
