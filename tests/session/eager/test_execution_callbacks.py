"""Callbacks after ops, and the check for inf and nan, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eager():
    with tf.Graph().as_default(), eager_mode():
        yield
    tfe.clear_execution_callbacks()


def test_callbacks_see_type_inputs_attrs_outputs_and_name():
    seen = []
    tfe.add_execution_callback(lambda *call: seen.append(call))
    x = tf.constant(1.0)
    y = tf.add(x, 2.0, name="hello")
    tf.split([1, 2], 2)
    assert [call[0] for call in seen] == ["Add", "Split"]
    op_type, inputs, attrs, outputs, name = seen[0]
    assert inputs[0] is x
    assert outputs == [y]
    assert attrs == ("T", 1)
    assert name == "hello"
    assert dict(zip(seen[1][2][::2], seen[1][2][1::2])) == {"num_split": 2, "T": 3}
    tfe.clear_execution_callbacks()
    tf.add(x, 1.0)
    assert len(seen) == 2


LOG_OF_ZERO = (
    "Output 1 of 1 of TFE operation Log (name: None) contains 1 inf(s) out of a total of 1 element(s). "
    "Tensor value: -inf"
)
BOTH = (
    "Output 1 of 1 of TFE operation Log (name: 'nm') contains 1 inf(s) and 1 nan(s) out of a total of 2 element(s). "
    "Tensor value: [-inf  nan]"
)


def test_infs_and_nans_raise_print_or_are_ignored(capsys):
    with tfe.errstate(inf_or_nan="raise"):
        with pytest.raises(Exception) as raised:
            tf.log(tf.constant(0.0))
        assert type(raised.value).__name__ == "InfOrNanError"
        assert str(raised.value) == LOG_OF_ZERO
        with pytest.raises(Exception) as raised:
            tf.log(tf.constant([0.0, -1.0]), name="nm")
        assert str(raised.value) == BOTH
        assert raised.value.op_type == "Log"
        with tfe.errstate(inf_or_nan=tfe.ExecutionCallback.IGNORE):
            assert tf.log(0.0).numpy() == -float("inf")
        assert tfe.seterr(inf_or_nan="print") == {"inf_or_nan": tfe.ExecutionCallback.RAISE}
        tf.log(tf.constant(0.0))
        assert capsys.readouterr().out == f"Warning: {LOG_OF_ZERO}\n"
    assert tfe.seterr() == {"inf_or_nan": tfe.ExecutionCallback.IGNORE}
    with pytest.raises(ValueError, match="'foo' is not a valid ExecutionCallback"):
        tfe.seterr(inf_or_nan="foo")


def test_nan_and_inf_callbacks_are_independent():
    tfe.add_execution_callback(tfe.nan_callback)
    tf.log(tf.constant(0.0))
    with pytest.raises(Exception, match="1 nan"):
        tf.log(tf.constant(-1.0))
    tfe.clear_execution_callbacks()
    tfe.add_execution_callback(tfe.inf_callback)
    tf.log(tf.constant(-1.0))
    with pytest.raises(Exception, match="1 inf"):
        tf.log(tf.constant(0.0))


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1.0])
@pytest.mark.parametrize("callback", [tfe.inf_callback, tfe.nan_callback, tfe.inf_nan_callback])
@pytest.mark.parametrize("action", ["print", "warn", "raise", "ignore"])
def test_each_check_and_action(callback, value, action, capsys, caplog):
    is_bad = str(value) in callback.__name__.split("_")
    tensors = [tf.constant(3), tf.constant([1.0, value])]
    error = (
        ""
        if action != "ignore"
        else "^Invalid action for inf_nan_callback: .*IGNORE. Valid actions are: "
    )
    if is_bad and action in ("raise", "ignore"):
        with pytest.raises(
            ValueError if error else Exception, match=error or "Output 2 of 2 of TFE operation Op"
        ):
            callback("Op", [], [], tensors, None, action=action)
    else:
        callback("Op", [], [], tensors, None, action=action)
    output = capsys.readouterr().out + "".join(record.getMessage() for record in caplog.records)
    assert ("Output 2 of 2" in output) == (is_bad and action in ("print", "warn"))
    assert output.startswith("Warning: ") == (is_bad and action == "print")


def test_seterr_reports_added_callback():
    assert tfe.seterr() == {"inf_or_nan": tfe.ExecutionCallback.IGNORE}
    tfe.add_execution_callback(tfe.inf_nan_callback)
    assert tfe.seterr(inf_or_nan="warn") == {"inf_or_nan": tfe.ExecutionCallback.RAISE}
    assert tfe.seterr() == {"inf_or_nan": tfe.ExecutionCallback.WARN}
