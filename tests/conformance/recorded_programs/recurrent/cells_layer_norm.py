"""LayerNormBasicLSTMCell: with and without normalization, dropout, in double precision."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    keep = tf.placeholder_with_default(0.5, [], name="keep")
    double = tf.cast(x, tf.float64)
    cases = [
        (x, {}),
        (rows, {"forget_bias": 0.5, "norm_gain": 0.5, "norm_shift": 0.1}),
        (x, {"layer_norm": False, "activation": tf.nn.relu}),
        (x, {"dropout_keep_prob": 0.5, "dropout_prob_seed": 3}),
        (rows, {"dropout_keep_prob": keep}),
        (x, {"dropout_keep_prob": 1.0, "input_size": 3}),
        (double, {}),
    ]
    outputs, facts = [], {}
    for number, (inputs, options) in enumerate(cases):
        cell = tf.contrib.rnn.LayerNormBasicLSTMCell(4, **options)
        with tf.variable_scope(f"cell{number}"):
            state = cell.zero_state(inputs.shape[0].value or tf.shape(inputs)[0], inputs.dtype)
            for _ in range(2):
                output, state = cell(inputs, state)
        outputs.append((output, state))
        facts[str(number)] = [
            [v.name for v in cell.weights],
            str(cell.state_size),
            str(output.shape),
        ]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    values = np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)
    feed = {x: values, rows: values}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
