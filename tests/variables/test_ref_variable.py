"""Reference variables: in-place changes, slices in protos."""

import pytest

import tfmini as tf
from tfmini._src.variables import ref_variable


def both():
    return pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


def test_in_place_operators(graph, caplog, monkeypatch):
    monkeypatch.setattr(ref_variable, "_warned", set())
    for _ in range(2):
        old = v = tf.Variable(1.0, use_resource=False)
        v += 1.0
        assert isinstance(v, tf.Tensor) and v is not old
    assert caplog.text.count("Variable += will be deprecated. Use variable.assign_add if") == 1
    r = tf.Variable(1.0, use_resource=True)
    with pytest.raises(RuntimeError, match=r"Variable \*= value not supported. Use `var.assign\("):
        r *= 2.0
    with pytest.raises(RuntimeError, match=r"Use variable.assign_sub\(value\) to modify the var"):
        r -= 2.0


@both()
def test_save_slice_info_round_trip(graph, use_resource):
    v = tf.Variable([1.0, 2.0], use_resource=use_resource)
    v._set_save_slice_info(tf.Variable.SaveSliceInfo("whole", [7], [2], [2]))
    info = type(v).from_proto(v.to_proto())._get_save_slice_info()
    assert (info.full_name, info.spec) == ("whole", "7 2,2")
