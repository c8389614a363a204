import tfmini as tf

x = tf.constant([[-2.0, -0.5, 0.0], [0.5, 2.0, 7.0]])
weights, biases = tf.constant([[1.0, -1.0], [0.5, 0.5], [-1.0, 0.25]]), tf.constant([0.5, -1.0])
with tf.Session() as sess:
    for function in (
        *(tf.nn.relu, tf.nn.sigmoid, tf.nn.tanh, tf.nn.elu, tf.nn.crelu, tf.nn.relu6),
        *(tf.nn.softplus, tf.nn.softsign),
    ):
        result = function(x)
        print(result.op.type, result.get_shape(), sess.run(result))
    print(sess.run(tf.nn.bias_add(x, [1.0, 2.0, 3.0])))
    print(sess.run(tf.nn.relu_layer(x, weights, biases)), tf.nn.relu_layer(x, weights, biases))
    tf.set_random_seed(7)
    dropped = tf.nn.dropout(tf.ones([4, 6]), 0.5, seed=3)
    print(sess.run(dropped))
    print(sess.run(tf.nn.dropout(x, keep_prob=1.0)))
    print(sess.run(tf.nn.dropout(tf.ones([3, 4]), 0.5, noise_shape=[3, 1], seed=5)))
