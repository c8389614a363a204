"""Grid LSTM cells over time and frequency, and a phased LSTM cell."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [2, 8], name="x")
    rows = tf.placeholder(tf.float32, [None, 8], name="rows")
    windows = {"feature_size": 4, "frequency_skip": 2}
    blocks = {
        "num_frequency_blocks": [2, 1],
        "start_freqindex_list": [0, 4],
        "end_freqindex_list": [6, 8],
    }
    grid, both = rnn.GridLSTMCell, rnn.BidirectionalGridLSTMCell
    cells = [
        (x, grid(2, num_frequency_blocks=[3], **windows)),
        (rows, grid(2, True, cell_clip=0.1, num_frequency_blocks=[3], **windows)),
        (x, grid(2, True, share_time_frequency_weights=True, **dict(windows, **blocks))),
        (x, grid(2, True, couple_input_forget_gates=True, **dict(windows, **blocks))),
        (x, grid(2, couple_input_forget_gates=True, num_frequency_blocks=[3], **windows)),
        (x, grid(2, state_is_tuple=False, num_unit_shards=2, num_frequency_blocks=[3], **windows)),
        (x, both(2, True, num_frequency_blocks=[3], **windows)),
        (rows, both(2, backward_slice_offset=1, **dict(windows, **blocks))),
        (x, both(2, backward_slice_offset=-1, share_time_frequency_weights=True,
                 forget_bias=0.5, **dict(windows, **blocks))),
    ]  # fmt: skip
    outputs, facts = [], {}
    for number, (inputs, cell) in enumerate(cells):
        with tf.variable_scope(f"cell{number}"):
            state = cell.zero_state(inputs.shape[0].value or tf.shape(inputs)[0], tf.float32)
            output, state = cell(inputs, state)
            output, state = cell(inputs, state)
        outputs.append((output, state))
        facts[str(number)] = [str(cell.state_size), cell.output_size, str(output.shape)]
        facts[f"weights {number}"] = [v.name for v in cell.weights]
        facts[f"type {number}"] = getattr(cell.state_tuple_type, "__name__", None)
    for number, peephole in enumerate([False, True]):
        cell = rnn.TimeFreqLSTMCell(2, peephole, 0.5, num_unit_shards=number + 1, **windows)
        with tf.variable_scope(f"frequency{number}"):
            output, state = cell(x, tf.ones([2, 12]))
            outputs.append(cell(x, state))
        facts[f"frequency {number}"] = [cell.state_size, cell.output_size, str(output.shape)]
    time = tf.placeholder(tf.float32, [2, 1], name="time")
    for number, options in enumerate(
        [{}, {"use_peepholes": True, "trainable_ratio_on": False, "ratio_on": 0.5, "leak": 0.1}]
    ):
        cell = rnn.PhasedLSTMCell(3, period_init_max=20.0, **options)
        with tf.variable_scope(f"phased{number}"):
            output, state = cell((time, x), cell.zero_state(2, tf.float32))
            outputs.append(cell((time + 1.0, x), state))
        facts[f"phased {number}"] = [v.name for v in cell.weights]
    trained = tf.trainable_variables()
    facts["trained"] = [v.name for v in trained]
    found = tf.gradients([output for output, _ in outputs], trained)
    values = np.sin(np.arange(16, dtype=np.float32)).reshape(2, 8)
    feed = {x: values, rows: values, time: [[0.5], [3.0]]}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
