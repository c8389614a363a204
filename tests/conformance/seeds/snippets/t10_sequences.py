import tfmini as tf

logits = [
    tf.constant([[1.0, 2.0, 0.5], [0.0, 0.5, 1.0]]),
    tf.constant([[0.5, 0.5, 0.5], [3.0, 1.0, 2.0]]),
]
targets = [tf.constant([1, 2]), tf.constant([0, 0])]
weights = [tf.constant([1.0, 1.0]), tf.constant([1.0, 0.0])]
by_example = tf.contrib.legacy_seq2seq.sequence_loss_by_example
with tf.Session() as sess:
    print(sess.run(by_example(logits, targets, weights)))
    print(sess.run(by_example(logits, targets, weights, average_across_timesteps=False)))
    print(sess.run(tf.contrib.legacy_seq2seq.sequence_loss(logits, targets, weights)))
