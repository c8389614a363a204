"""Checkpoints of tf.contrib.eager.Network."""

import pytest

import tfmini as tf
from tests.contrib.eager.conftest import Inner, Outer

tfe = tf.contrib.eager

pytestmark = pytest.mark.filterwarnings("ignore")


def test_later_checkpoints_win(values, one, tmp_path):
    outer, inner = Outer(), Inner()
    outer(one), inner(one)
    for index, variable in enumerate(outer.variables[:3]):
        values.set(variable, [[index + 2.0] * variable.shape[1].value])
    values.set(outer.variables[3], [0.0, 0.0])
    values.set(inner.variables[0], [[11.0]])
    of_outer = tfe.save_network_checkpoint(outer, str(tmp_path / "outer"))
    of_inner = tfe.save_network_checkpoint(inner, str(tmp_path / "inner"))
    net = Outer()
    tfe.restore_network_checkpoint(net, of_outer)
    tfe.restore_network_checkpoint(net.a, of_inner)
    net(one)
    assert [values.of(v).flat[0] for v in net.variables] == [11.0, 3.0, 4.0, 0.0]


def test_name_collisions(values, one, tmp_path):
    net = Outer()
    net(one)
    for variable in net.variables:
        values.set(variable, tf.zeros(variable.shape))
    with pytest.raises(ValueError, match="passed to save_network_checkpoint for the Network 'oute"):
        tfe.save_network_checkpoint(net, str(tmp_path), map_func=lambda name: "foo")
    prefix = tfe.save_network_checkpoint(net.a, str(tmp_path), map_func=lambda name: "foo")
    loader = Outer()
    tfe.restore_network_checkpoint(loader, prefix, map_func=lambda name: "foo")
    with pytest.raises(ValueError, match="to restore_network_checkpoint for the Network 'outer_1'"):
        loader(one)
    shared = tf.layers.Dense(1, name="dense", use_bias=False)
    shared(one)
    both = tfe.Sequential([shared, tf.layers.Dense(1, use_bias=False)])
    both(one)
    with pytest.raises(ValueError, match="for Network 'sequential' resulted in a naming conflict"):
        tfe.save_network_checkpoint(both, str(tmp_path))
