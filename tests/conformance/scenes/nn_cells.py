"""`tf.nn.rnn_cell`: non-tuple states, projections, wrappers, dropout, configs, errors."""

from tests.conformance.scenes.nn_recurrent import _data, _plain


def cells_of_the_library(tf, stage):
    """`tf.nn.rnn_cell` in `dynamic_rnn`: non-tuple states, projections, wrappers, dropout, errors."""
    cell = tf.nn.rnn_cell
    x = tf.constant(_data(2, 3, 2))

    def ran(make, **options):
        def run():
            with tf.variable_scope("rnn", initializer=tf.ones_initializer()):
                options.setdefault("dtype", tf.float32)
                made = make()
                stage.say(made.state_size, made.output_size)
                found = tf.nest.flatten(tf.nn.dynamic_rnn(made, x_here(), **options))
                return [str(each.shape) for each in found]

        return run

    def x_here():
        return tf.constant(_data(2, 3, 2))

    def lstm(*given, **options):
        return lambda: cell.LSTMCell(*given, **options)

    basic = {"state_is_tuple": False}
    keep = {"output_keep_prob": 0.5, "state_keep_prob": 0.5, "input_keep_prob": 0.5, "seed": 3}
    cases = {
        "gru": ran(lambda: cell.GRUCell(2, bias_initializer=tf.zeros_initializer())),
        "lstm_one": ran(lstm(2, **basic)),
        "lstm_projected": ran(lstm(3, num_proj=2, proj_clip=0.5, cell_clip=0.25)),
        "lstm_projected_one": ran(lstm(3, num_proj=2, use_peepholes=True, **basic)),
        "lstm_shards": ran(lstm(2, num_unit_shards=2, num_proj_shards=2, num_proj=2)),
        "multi_tuples_in_one": ran(
            lambda: cell.MultiRNNCell([cell.LSTMCell(2)], state_is_tuple=False)
        ),
        "multi_not_list": ran(lambda: cell.MultiRNNCell(cell.LSTMCell(2))),
        "multi_same": ran(lambda: cell.MultiRNNCell([cell.BasicRNNCell(2)] * 2)),
        "dropped_always": ran(
            lambda: cell.DropoutWrapper(
                cell.LSTMCell(2), variational_recurrent=True, input_size=2, dtype=tf.float32, **keep
            )
        ),
        "dropped_filter": ran(
            lambda: cell.DropoutWrapper(
                cell.LSTMCell(2),
                state_keep_prob=0.5,
                seed=3,
                dropout_state_filter_visitor=lambda s: (
                    (True, False) if isinstance(s, cell.LSTMStateTuple) else True
                ),
            )
        ),
        "dropped_nothing": ran(lambda: cell.DropoutWrapper(cell.BasicRNNCell(2), 1.0, 1.0)),
        "device": ran(lambda: cell.DeviceWrapper(cell.BasicRNNCell(2), "/cpu:0")),
        "lengths_shape": ran(lambda: cell.GRUCell(2), sequence_length=[1, 2, 3]),
        "state": ran(lambda: cell.GRUCell(2), initial_state=tf.zeros([2, 2])),
        "no_dtype": ran(lambda: cell.GRUCell(2), dtype=None),
    }
    stage.each(cases, graph="sum")
    with tf.Graph().as_default():
        for make in (lambda: cell.BasicRNNCell(2, activation="relu"),):
            with stage.failing():
                made = make()
                config = made.get_config()
                stage.say(_plain(config))
                again = type(made).from_config(dict(config))
                stage.say(again.name, again.state_size, again.output_size, again.trainable)
            stage.attempts(
                lambda: made(tf.ones([2]), made.zero_state(2, tf.float32))  # noqa: B023
            )
    stage.say(len(cell.LSTMStateTuple(1, 2)), cell.LSTMStateTuple(c=x, h=x).dtype)
    abstract = cell.RNNCell()
    stage.attempts(lambda: abstract.state_size, lambda: abstract.output_size)
