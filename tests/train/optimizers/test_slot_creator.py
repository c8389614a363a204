"""Slots with a variable's shape, kind, device and partitions."""

import pytest

import tfmini as tf
from tfmini._src.train.optimizers import slot_creator


def values(*variables):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [value.tolist() for value in session.run(list(variables))]


@pytest.mark.parametrize("resource", [False, True])
def test_slot_kind_name_and_value(resource):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=resource)
    zeros = slot_creator.create_zeros_slot(v, "zeros")
    slot = slot_creator.create_slot(v, tf.constant([3.0, 4.0]), "given")
    initialized = slot_creator.create_slot_with_initializer(
        v, tf.ones_initializer(), v.shape, tf.float64, "made"
    )
    assert [s.name for s in (zeros, slot, initialized)] == ["v/zeros:0", "v/given:0", "v/made:0"]
    assert [s.op.type for s in (zeros, slot, initialized)] == [v.op.type] * 3
    assert values(zeros, slot, initialized) == [[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]]
    assert initialized.dtype.base_dtype == tf.float64
    assert all(s.op.colocation_groups() == [b"loc:@v"] for s in (zeros, slot, initialized))
    assert not {zeros, slot, initialized} & set(tf.trainable_variables())


def test_slot_without_colocation():
    v = tf.Variable([1.0], name="v")
    slot = slot_creator.create_zeros_slot(v, "slot", colocate_with_primary=False)
    assert slot.op.colocation_groups() != [b"loc:@v"]


def test_slot_of_unknown_shape():
    v = tf.Variable(tf.placeholder_with_default([1.0, 2.0, 3.0], None), validate_shape=False)
    slot = slot_creator.create_zeros_slot(v, "slot")
    assert slot.shape.ndims is None
    assert values(slot) == [[0.0, 0.0, 0.0]]


def test_slot_of_partition():
    with tf.variable_scope("scope", partitioner=tf.fixed_size_partitioner(2)):
        pieces = list(tf.get_variable("v", [3]))
    slot = slot_creator.create_zeros_slot(pieces[1], "slot")
    info = slot._save_slice_info
    assert (info.full_name, info.full_shape, info.var_offset, info.var_shape) == (
        "scope/v/slot", [3], [2], [1],
    )  # fmt: skip
    assert slot.shape.as_list() == [1]


def test_slot_ignores_scope_partitioner():
    with tf.variable_scope("scope", partitioner=tf.fixed_size_partitioner(2)) as scope:
        whole = tf.Variable([1.0, 2.0, 3.0, 4.0], name="whole")
        slot = slot_creator.create_zeros_slot(whole, "slot")
        assert tf.get_variable_scope().partitioner is scope.partitioner
        assert len(list(tf.get_variable("cut", [4]))) == 2
    assert isinstance(slot, tf.Variable) and slot.name == "scope/scope/whole/slot:0"
    assert slot.shape.as_list() == [4] and slot._save_slice_info is None
