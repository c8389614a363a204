import numpy as np

import tfmini as tf

tf.logging.set_verbosity(tf.logging.ERROR)
tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
values = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 24
cells = {
    "rnn": tf.nn.rnn_cell.BasicRNNCell(2),
    "basic": tf.nn.rnn_cell.BasicLSTMCell(2, forget_bias=1.0, state_is_tuple=True),
    "lstm": tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True, num_proj=2),
    "gru": tf.nn.rnn_cell.GRUCell(2),
}
cells["multi"] = tf.nn.rnn_cell.MultiRNNCell(
    [tf.nn.rnn_cell.BasicLSTMCell(size) for size in (3, 2)], state_is_tuple=True
)
keep = tf.placeholder_with_default(1.0, [], name="keep")
cells["dropout"] = tf.nn.rnn_cell.DropoutWrapper(
    tf.nn.rnn_cell.GRUCell(2), input_keep_prob=1.0, output_keep_prob=keep
)
results = {}
for name, cell in sorted(cells.items()):
    print(name, cell.state_size, cell.output_size, cell.zero_state(2, tf.float32))
    with tf.variable_scope(name):
        static = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    with tf.variable_scope(name, reuse=True):
        dynamic = tf.nn.dynamic_rnn(cell, x, sequence_length=[3, 1], dtype=tf.float32)
    print(static[0][-1], dynamic[0].name, dynamic[0].shape)
    results[name] = [tf.stack(static[0], 1), static[1], dynamic]
for variable in tf.trainable_variables():
    print(variable)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for name in sorted(results):
        print(name, sess.run(results[name], {x: values}))
    print(sess.run(results["dropout"][0], {x: values, keep: 0.5}))
