"""contrib cells with other gates: coupled, UGRNN, IntersectionRNN, NASCell, grouped, simple recurrent units."""

import numpy as np

TOLERANCE = 1e-4  # float32; the maximum difference was below 5e-5


def build(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    rows = tf.placeholder(tf.float32, [None, 4], name="rows")
    coupled = rnn.CoupledInputForgetGateLSTMCell
    cells = [
        coupled(3),
        coupled(3, True, num_proj=2, proj_clip=0.1, num_unit_shards=2, num_proj_shards=3),
        coupled(3, layer_norm=True, norm_gain=0.5, norm_shift=0.1, activation=tf.nn.relu),
        coupled(3, use_peepholes=True, state_is_tuple=False, forget_bias=0.5),
        rnn.UGRNNCell(3),
        rnn.UGRNNCell(3, tf.ones_initializer(), 0.5, tf.nn.relu),
        rnn.IntersectionRNNCell(4),
        rnn.IntersectionRNNCell(3, 3, tf.constant_initializer(0.1), 0.5, tf.tanh),
        rnn.NASCell(3),
        rnn.NASCell(3, 2, use_bias=True, name="nas"),
        rnn.GLSTMCell(4),
        rnn.GLSTMCell(4, number_of_groups=2, num_proj=6, initializer=tf.ones_initializer()),
        rnn.SRUCell(3),
        rnn.SRUCell(3, tf.nn.relu, name="sru"),
        rnn.IndRNNCell(3),
        rnn.IndyGRUCell(3, kernel_initializer=tf.ones_initializer()),
        rnn.IndyGRUCell(3, tf.nn.relu, bias_initializer=tf.ones_initializer(), name="gru"),
        rnn.IndyLSTMCell(3, 0.5),
    ]
    outputs, facts = [], {}
    for number, cell in enumerate(cells):
        inputs = rows if number % 3 == 2 else x
        with tf.variable_scope(f"cell{number}"):
            state = cell.zero_state(inputs.shape[0].value or tf.shape(inputs)[0], tf.float32)
            for _ in range(2):
                output, state = cell(inputs, state)
        outputs.append((output, state))
        sizes = [str(cell.state_size), str(cell.output_size), str(output.shape)]
        facts[str(number)] = [[v.name for v in cell.weights], sizes, type(state).__name__]
    joined = tf.get_collection(tf.GraphKeys.CONCATENATED_VARIABLES)
    facts["joined"] = [t.name for t in joined]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    facts["unused"] = [v.name for v, g in zip(trained, found) if g is None]
    found = [gradient for gradient in found if gradient is not None]
    values = np.sin(np.arange(8, dtype=np.float32)).reshape(2, 4)
    feed = {x: values, rows: values}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
