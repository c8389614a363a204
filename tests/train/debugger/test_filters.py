"""Tensor filters."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.compat.python import debug


def test_custom_filter(model):
    x, loss, _ = model
    with debug.LocalCLIDebugWrapperSession(tf.Session()) as session:
        session.session.run(tf.global_variables_initializer())
        assert tf.get_default_session() is session
        seen = []
        session.add_tensor_filter("mine", lambda datum, value: seen.append(datum.node_name))
        session.run(loss, {x: [1.0, 0.0]})  # the filter for infinities is not among them
        assert seen[:3] == ["x", "v", "v/read"]
        session.add_tensor_filter("has_inf_or_nan", debug.has_inf_or_nan)
        step = session.make_callable(loss, [x])
        assert step([1.0, 1.0]) == np.float32(np.log(2.0))
        with pytest.raises(tf.errors.InvalidArgumentError, match="tensor scope/y:0"):
            step([0.0, 1.0])
        with pytest.raises(ValueError, match="does not have a method called 'should_stop'"):
            session.should_stop()


def test_bfloat16_nan_is_detected():
    assert debug.has_inf_or_nan(None, np.array([np.nan], tf.bfloat16.as_numpy_dtype)) is True


def test_filter_order_and_arguments(model, capsys):
    x, loss, _ = model
    session = debug.LocalCLIDebugWrapperSession(tf.Session())
    session.session.run(tf.global_variables_initializer())
    seen = []

    def tells(datum, value):
        if datum.node_name == "scope/y":
            seen.append((datum.output_slot, datum.tensor_name, datum.watch_key, datum.debug_op))
            seen.append((datum.device_name, value.shape))
        return False

    session.add_tensor_filter("tells", tells)
    session.add_tensor_filter("late", lambda datum, value: datum.node_name == "loss")
    with pytest.raises(tf.errors.InvalidArgumentError, match="^late: tensor loss:0"):
        session.run(loss, {x: [1.0, 2.0]})
    assert seen == [
        (0, "scope/y:0", "scope/y:0:DebugIdentity", "DebugIdentity"),
        ("", (2,)),
    ]
    session.add_tensor_filter("late", lambda datum, value: False)  # replaces the other
    assert session.run(loss, {x: [1.0, 1.0]}) == np.float32(np.log(2.0))
    assert capsys.readouterr().out.startswith("late: tensor loss:0 of node loss")
    session.close()
