"""LSTMCell: peepholes, projections, clipping, partitioned weights, concatenated states."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    settings = [
        {},
        {"use_peepholes": True, "forget_bias": 0.5},
        {"num_proj": 2, "proj_clip": 0.1, "cell_clip": 0.2},
        {"use_peepholes": True, "num_proj": 3, "activation": "relu", "cell_clip": 1.5},
        {"num_unit_shards": 2, "num_proj_shards": 3, "num_proj": 3},
        {"num_unit_shards": 3, "use_peepholes": True},
        {"state_is_tuple": False},
        {"state_is_tuple": False, "num_proj": 3},
        {"initializer": tf.random_uniform_initializer(-0.3, 0.3, seed=5), "num_proj": 2},
        {"initializer": "zeros", "name": "named"},
    ]
    outputs, facts = [], {}
    for number, options in enumerate(settings):
        cell = tf.nn.rnn_cell.LSTMCell(4, **options)
        state = cell.zero_state(2, tf.float32)
        for _ in range(2):
            output, state = cell(x, state)
        outputs.append((output, state))
        sizes = [str(cell.state_size), cell.output_size]
        facts[str(number)] = [[v.name for v in cell.weights], sizes, str(output.shape)]
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        cell = tf.nn.rnn_cell.LSTMCell(4, num_proj=2)
        outputs.append(cell(x, cell.zero_state(2, tf.float32)))
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    feed = {x: np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)}
    config = tf.nn.rnn_cell.LSTMCell(3, True, 1.0, num_proj=2, name="c").get_config()
    facts["config"] = {name: str(value) for name, value in config.items()}
    facts["trained"] = [v.name for v in trained]
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
