"""Configs, copies and state sizes of cells; recorded programs cover their graphs and values."""

import copy

import tfmini as tf
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple

CELLS = tf.nn.rnn_cell


def test_wrapper_config_round_trip():
    cell = CELLS.DropoutWrapper(CELLS.GRUCell(3), 0.5, seed=3)
    config = cell.get_config()
    assert config["cell"]["class_name"] == "GRUCell"
    config["cell"] = cell.wrapped_cell
    restored = CELLS.DropoutWrapper.from_config(config)
    assert restored.wrapped_cell is cell.wrapped_cell
    assert restored._gen_seed("input", 0) == cell._gen_seed("input", 0)


def test_deep_copies_have_separate_weights():
    cell = CELLS.GRUCell(3)
    cells = CELLS.MultiRNNCell([copy.deepcopy(cell) for _ in range(2)])
    cells(tf.ones([2, 3]), cells.zero_state(2, tf.float32))
    assert len({v.name for v in tf.trainable_variables()}) == 8


def test_state_size_attribute_of_wrapped_cells():
    assert CELLS.LSTMCell(3, num_proj=2)._state_size == LSTMStateTuple(3, 2)
