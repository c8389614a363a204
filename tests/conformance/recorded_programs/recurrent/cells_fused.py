"""Fused sequences: LSTMBlockFusedCell, adapted cells, both directions, lengths."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [5, 2, 3], name="x")
    free = tf.placeholder(tf.float32, [None, None, 3], name="free")
    lengths = tf.constant([2, 4])
    outputs, facts = [], {}

    def run(label, cell, inputs=x, **kwargs):
        if "initial_state" not in kwargs:
            kwargs["dtype"] = tf.float32
        output, state = cell(inputs, **kwargs)
        outputs.append((output, state))
        facts[label] = [type(output).__name__, str(tf.nest.flatten(output)[0].shape), len(outputs)]

    for label, inputs in (("x", x), ("free", free)):
        run(label + " whole", rnn.LSTMBlockFusedCell(4), inputs)
        run(label + " lengths", rnn.LSTMBlockFusedCell(4), inputs, sequence_length=lengths)
        run(
            label + " peephole",
            rnn.LSTMBlockFusedCell(4, 0.5, 0.3, use_peephole=True, name="peephole_" + label),
            inputs,
            initial_state=(tf.ones([2, 4]), tf.zeros([2, 4])),
            sequence_length=lengths,
        )
        backward = rnn.TimeReversedFusedRNN(rnn.LSTMBlockFusedCell(4, name="back_" + label))
        run(label + " backward", backward, inputs)
        run(label + " backward lengths", backward, inputs, sequence_length=lengths)
        adapted = rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.GRUCell(3), use_dynamic_rnn=True)
        run(label + " adapted", adapted, inputs, scope="dynamic_" + label)
        run(label + " adapted lengths", adapted, inputs, sequence_length=lengths, scope="a" + label)
    run("static", rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.GRUCell(3)), scope="static")
    static = rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.GRUCell(3))
    run("list", static, tf.unstack(x), sequence_length=lengths, scope="list")
    run("reversed list", rnn.TimeReversedFusedRNN(static), tf.unstack(x), scope="list2")
    dynamic = rnn.FusedRNNCellAdaptor(tf.nn.rnn_cell.GRUCell(3), True)
    run("dynamic list", dynamic, tf.unstack(x), scope="list3")
    facts["variables"] = [v.name for v in tf.global_variables()]
    facts["abstract"] = [rnn.FusedRNNCell.__abstractmethods__ == {"__call__"}]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    values = np.sin(np.arange(30, dtype=np.float32)).reshape(5, 2, 3)
    feed = {x: values, free: values}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
