"""tf.keras.layers.CuDNNLSTM and CuDNNGRU: graphs, options and configurations; running them needs a GPU."""


def build(tf):
    layers = tf.keras.layers
    x = tf.keras.Input([4, 3], batch_size=2)
    lstm = layers.CuDNNLSTM(5, return_sequences=True, return_state=True)
    y, h, c = lstm(x)
    gru = layers.CuDNNGRU(4, go_backwards=True, kernel_regularizer="l2", bias_constraint="non_neg")
    last = gru(y, initial_state=tf.zeros([2, 4]))
    kept = layers.CuDNNGRU(3, stateful=True, return_sequences=True, return_state=True)
    z, state = kept(y)
    timed = layers.CuDNNLSTM(2, unit_forget_bias=False, time_major=True, name="timed")
    t = timed(tf.ones([6, 2, 3]))
    both = layers.Bidirectional(layers.CuDNNGRU(2))(y)
    loss = sum(tf.reduce_sum(value) for value in (h, c, last, z, t, both))
    weights = lstm.trainable_weights + gru.weights
    tf.gradients(loss, weights)
    again = layers.CuDNNLSTM.from_config(timed.get_config())
    return {
        "facts": {
            "configs": [layer.get_config() for layer in (lstm, gru, kept, again)],
            "weights": [weight.name for weight in weights + timed.weights],
            "shapes": [str(value.shape) for value in (y, h, last, z, state, t, both)],
            "updates": len(kept.updates),
            "sizes": [str(lstm.cell.state_size), gru.cell.state_size],
            "shape of outputs": str(gru.compute_output_shape((2, 4, 3))),
        },
        "steps": [],
    }
