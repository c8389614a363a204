"""tf.contrib.cudnn_rnn: cuDNN network layers, their gradients and savers, as graphs; running them needs a GPU."""


def build(tf):
    cudnn = tf.contrib.cudnn_rnn
    tf.set_random_seed(7)
    x = tf.placeholder(tf.float32, [4, 2, 3], name="x")
    lengths = tf.placeholder(tf.int32, [2], name="lengths")
    with tf.variable_scope("first"):
        lstm = cudnn.CudnnLSTM(2, 3, direction="bidirectional", dropout=0.25, seed=5)
        y, (h, c) = lstm(x)
        again, _ = lstm(x, initial_state=(h, c), training=False)
    gru = cudnn.CudnnGRU(1, 5, kernel_initializer=tf.ones_initializer())
    z, (last,) = gru(x, sequence_lengths=lengths)
    tanh = cudnn.CudnnRNNTanh(1, 3, input_mode="auto_select", dtype=tf.float64, name="plain")
    t, _ = tanh(tf.cast(x, tf.float64), time_major=False)
    relu = cudnn.CudnnRNNRelu(2, 3, direction="bidirectional")
    relu.build([None, None, 3])
    loss = tf.reduce_sum(y) + tf.reduce_sum(c) + tf.reduce_sum(z) + tf.reduce_sum(last)
    variables = tf.trainable_variables()
    tf.gradients(loss, [x] + variables[:2])
    converter = cudnn.CudnnParamsFormatConverterLSTM(1, 4, 3, num_proj=2)
    weights, biases, projected = converter.opaque_to_tf_canonical(tf.ones([150]))
    converter.tf_canonical_to_opaque(weights + biases, projected)
    saver = tf.train.Saver()
    return {
        "facts": {
            "variables": [v.name for v in variables],
            "specs": [[spec.name for spec in layer.saveable.specs] for layer in (lstm, gru, tanh)],
            "shapes": [lstm.canonical_weight_shapes, gru.canonical_bias_shapes, str(again.shape)],
            "states": [lstm.state_shape(7), gru.state_shape(7)],
            "sizes": [lstm.input_size, relu.num_dirs, tanh.rnn_mode, gru.input_mode],
            "saver": saver.saver_def.restore_op_name,
            "dynamic": [str(y.shape), str(t.shape), str(z.shape)],
        },
        "steps": [],
    }
