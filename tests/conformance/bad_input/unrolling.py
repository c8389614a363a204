"""static_rnn, dynamic_rnn, raw_rnn ...: invalid cells; mismatched lengths, sizes and structures."""


def basic(tf, size=2):
    return tf.nn.rnn_cell.BasicRNNCell(size)


def matrix(tf, shape=(2, 3, 2)):
    return tf.placeholder(tf.float32, shape, name="x")


def returning(tf, output, state):
    class Cell(tf.nn.rnn_cell.RNNCell):
        state_size = 2
        output_size = 2

        def call(self, inputs, old):
            return output(inputs, old), state(inputs, old)

    return Cell()


def plain(tf, size=2):
    """A cell that is not a layer."""

    class Cell:
        state_size = size
        output_size = size

        def zero_state(self, batch_size, dtype):
            return tf.zeros([batch_size, size], dtype)

        def __call__(self, inputs, state):
            w = tf.get_variable("w", [2 + size, size])
            new = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), w))
            return new, new

    return Cell()


def ones(tf, shape=(2, 3, 2)):
    return tf.ones(shape)


def cell_without_an_output(tf):
    class Cell:
        state_size = 2
        zero_state = None

    return tf.nn.static_rnn(Cell, [tf.ones([2, 2])], dtype=tf.float32)


def static_batches_that_differ(tf):
    steps = [tf.ones([2, 2]), tf.ones([3, 2])]
    return tf.nn.static_rnn(basic(tf), steps, dtype=tf.float32)


def dynamic_batches_that_differ(tf):
    inputs = (matrix(tf), matrix(tf, [3, 3, 2]))
    return tf.nn.dynamic_rnn(basic(tf), inputs, dtype=tf.float32)


def dynamic_steps_that_differ(tf):
    inputs = (matrix(tf), matrix(tf, [2, 4, 2]))
    return tf.nn.dynamic_rnn(basic(tf), inputs, dtype=tf.float32)


def negative_lengths_both_ways(tf):
    lengths = tf.placeholder(tf.int32, [2], name="lengths")
    cell = returning(tf, lambda x, s: x, lambda x, s: s + x)
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(cell, cell, ones(tf), lengths, dtype=tf.float32)
    return outputs, {lengths: [-1, 1]}


def static_state_of_another_size(tf):
    steps = [tf.ones([2, 2])]
    return tf.nn.static_rnn(plain(tf), steps, tf.ones([2, 3]), sequence_length=[1, 1])


def states_of_several_dtypes(tf):
    state = (tf.ones([2, 2]), tf.ones([2, 2], tf.float64))
    cell = tf.nn.rnn_cell.MultiRNNCell([basic(tf), basic(tf)])
    return tf.nn.dynamic_rnn(cell, matrix(tf), [1, 2], initial_state=state)


def state_that_is_empty(tf):
    cell = tf.nn.rnn_cell.MultiRNNCell([basic(tf), basic(tf)])
    return tf.nn.dynamic_rnn(cell, matrix(tf), initial_state=())


def output_of_another_structure(tf):
    cell = returning(tf, lambda x, s: (x, x), lambda x, s: s)
    return tf.nn.dynamic_rnn(cell, matrix(tf), [1, 2], dtype=tf.float32)


def output_of_another_size_with_lengths(tf):
    cell = returning(tf, lambda x, s: tf.concat([x, x], 1), lambda x, s: s)
    return tf.nn.dynamic_rnn(cell, matrix(tf), [1, 2], dtype=tf.float32)


def static_next_state_of_another_structure(tf):
    cell = returning(tf, lambda x, s: x, lambda x, s: (s, s))
    return tf.nn.static_rnn(cell, [tf.ones([2, 2])], dtype=tf.float32, sequence_length=[1, 1])


def second_gradient(tf):
    x = tf.ones([2, 3, 2])
    outputs, _ = tf.nn.dynamic_rnn(plain(tf), x, dtype=tf.float32)
    (once,) = tf.gradients(outputs, x)
    return tf.gradients(once, x)


def output_of_a_step_fetched(tf):
    kept = []
    cell = returning(tf, lambda x, s: kept.append(x + s) or kept[0], lambda x, s: s)
    tf.nn.dynamic_rnn(cell, ones(tf), dtype=tf.float32)
    return kept[0]


def saved_states_too_few(tf):
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    return tf.nn.static_state_saving_rnn(cell, [tf.ones([2, 2])], None, ("a",))


def saved_state_of_an_lstm(tf):
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    return tf.nn.static_state_saving_rnn(cell, [tf.ones([2, 2])], None, "a")


def stepping(tf, cell, **changes):
    """A raw_rnn with one result of its function replaced, in the first call or later."""

    def step(time, output, state, loop_state):
        made = {
            "finished": tf.fill([2], time >= 3),
            "value": tf.ones([2, 2]),
            "state": tf.zeros([2, 2]) if output is None else state,
            "emit": output,
            "kept": None,
        }
        when = "first_" if output is None else "later_"
        for key in made:
            if when + key in changes:
                made[key] = changes[when + key]
        return tuple(made.values())

    emitted, _, _ = tf.nn.raw_rnn(cell, step)
    return emitted.stack()
