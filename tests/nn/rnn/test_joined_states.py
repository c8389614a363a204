"""Cells with concatenated states warn that they are slow: exactly the same ones as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf

JOINED = {"state_is_tuple": False}
SLOW = "Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda cells, rnn: cells.BasicLSTMCell(2, **JOINED), 1),
        (lambda cells, rnn: cells.LSTMCell(2, **JOINED), 1),
        (lambda cells, rnn: cells.LSTMCell(2), 0),
        (lambda cells, rnn: cells.MultiRNNCell([cells.GRUCell(2)], **JOINED), 0),
        (lambda cells, rnn: rnn.CoupledInputForgetGateLSTMCell(2, **JOINED), 1),
        (lambda cells, rnn: rnn.CoupledInputForgetGateLSTMCell(2, state_is_tuple=True), 0),
        (lambda cells, rnn: rnn.GridLSTMCell(2, 2, 2, num_frequency_blocks=[1], **JOINED), 1),
        (lambda cells, rnn: rnn.AttentionCellWrapper(cells.GRUCell(2), 2, **JOINED), 1),
    ],
    ids=[
        "basic",
        "lstm",
        "lstm_of_two",
        "several",
        "coupled",
        "coupled_of_two",
        "grid",
        "attention",
    ],
)
def test_concatenated_state_warns(caplog, make, count):
    make(tf.nn.rnn_cell, tf.contrib.rnn)
    assert len([text for text in caplog.messages if SLOW in text]) == count
