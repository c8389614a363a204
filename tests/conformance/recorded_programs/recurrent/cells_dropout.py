"""DropoutWrapper: inputs, states and outputs, seeded and unseeded, variational, filters."""

import numpy as np

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [3, 4], name="x")
    keep = tf.placeholder_with_default(0.6, [], name="keep")

    def second_of_second(state):
        """Nothing of the first cell's state, the memory of the second's."""
        if isinstance(state, cells.LSTMStateTuple):
            return cells.LSTMStateTuple(True, False)
        return (False, True) if isinstance(state, tuple) else True

    pair = [cells.BasicLSTMCell(5), cells.GRUCell(6)]
    wrapped = {
        "nothing": cells.DropoutWrapper(cells.GRUCell(5)),
        "inputs": cells.DropoutWrapper(cells.GRUCell(5), 0.5),
        "outputs": cells.DropoutWrapper(cells.GRUCell(5), output_keep_prob=0.5, seed=3),
        "states": cells.DropoutWrapper(cells.BasicLSTMCell(5), state_keep_prob=0.7, seed=4),
        "all": cells.DropoutWrapper(cells.BasicLSTMCell(5), 0.9, 0.8, 0.7, seed=5),
        "tensors": cells.DropoutWrapper(cells.BasicLSTMCell(5), keep, keep, tf.constant(0.5)),
        "several": cells.DropoutWrapper(cells.MultiRNNCell(pair), 0.9, 0.8, 0.7, seed=6),
        "variational": cells.DropoutWrapper(
            cells.BasicLSTMCell(5), 0.9, 0.8, 0.7, True, input_size=4, dtype=tf.float32, seed=7
        ),
        "variational outputs": cells.DropoutWrapper(
            cells.GRUCell(5), output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32
        ),
        "variational tensors": cells.DropoutWrapper(
            cells.MultiRNNCell([cells.BasicLSTMCell(3), cells.GRUCell(2)]),
            *(keep, keep, keep, True, tf.TensorShape([4]), tf.float32, 8),
        ),
        "filter": cells.DropoutWrapper(
            cells.BasicLSTMCell(5),
            state_keep_prob=0.5,
            seed=9,
            dropout_state_filter_visitor=lambda state: True,
        ),
        "names": cells.DropoutWrapper(
            cells.MultiRNNCell([cells.BasicLSTMCell(3), cells.BasicLSTMCell(2)]),
            state_keep_prob=0.5,
            dropout_state_filter_visitor=second_of_second,
        ),
    }
    outputs, facts = [], {}
    for number, (label, cell) in enumerate(sorted(wrapped.items())):
        with tf.variable_scope(f"cell{number}"):
            state = cell.zero_state(3, tf.float32)
            for _ in range(2):
                output, state = cell(x, state)
        outputs.append((output, state))
        facts[label] = [str(cell.state_size), str(cell.output_size), type(state).__name__]
        facts[label + " weights"] = [v.name for v in cell.weights + cell.wrapped_cell.weights]
        facts[label + " seeds"] = [cell._gen_seed("input", 0), cell._gen_seed("state", 3)]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    feed = {x: np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    steps += [("again", outputs, {keep: 0.9, **feed}), ("gradients", found, feed)]
    return {"facts": facts, "steps": steps}
