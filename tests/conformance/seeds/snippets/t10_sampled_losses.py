import numpy as np

import tfmini as tf

tf.set_random_seed(4)
vocabulary_size, embedding_size, num_sampled = 12, 3, 4
train_inputs = tf.placeholder(tf.int32, shape=[4])
train_labels = tf.placeholder(tf.int32, shape=[4, 1])
table = np.random.RandomState(0).uniform(-1, 1, (vocabulary_size, embedding_size))
embeddings = tf.Variable(table.astype(np.float32))
embed = tf.nn.embedding_lookup(embeddings, train_inputs)
start = np.random.RandomState(1).normal(0, 0.5, (vocabulary_size, embedding_size))
nce_weights = tf.Variable(start.astype(np.float32))
nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
options = {
    "weights": nce_weights,
    "biases": nce_biases,
    "labels": train_labels,
    "inputs": embed,
    "num_sampled": num_sampled,
    "num_classes": vocabulary_size,
}
nce = tf.nn.nce_loss(**options)
softmax = tf.nn.sampled_softmax_loss(**options)
print(nce, softmax)
loss = tf.reduce_mean(nce) + tf.reduce_mean(softmax)
optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
feed = {train_inputs: [1, 2, 3, 4], train_labels: [[0], [3], [2], [11]]}
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for _ in range(5):
        print(sess.run([nce, softmax], feed))
        optimizer.run(feed)
    print(nce_biases.eval())
