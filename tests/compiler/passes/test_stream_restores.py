"""stream_restores: tensors read only by variables are restored individually, each before its assignment."""

import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered

READ = ["ReadRestored", "Assign"]


def restored(count=3, dtype=tf.float32):
    """Variables and RestoreV2's values for them."""
    result = [tf.get_variable(f"v{i}", [4], dtype) for i in range(count)]
    names = [f"v{i}" for i in range(count)]
    values = tf.raw_ops.RestoreV2(
        prefix="model", tensor_names=names, shape_and_slices=[""] * count, dtypes=[dtype] * count
    )
    return result, values


def steps(*fetches, targets=()):
    return [kind for kind in kinds(lowered(*fetches, targets=targets)) if kind != "const"]


def test_each_tensor_is_read_before_its_assignment():
    variables, values = restored()
    assigns = [v.assign(value).op for v, value in zip(variables, values)]
    assert steps(targets=assigns) == [*["VariableV2"] * 3, "RestoreOneByOne", *READ * 3]


def test_reshape_follows_its_read():
    variables, values = restored(2)
    assigns = [v.assign(tf.reshape(value, [4])).op for v, value in zip(variables, values)]
    result = steps(targets=assigns)
    assert result[-6:] == ["ReadRestored", "Reshape", "Assign"] * 2


def test_resource_variables():
    with tf.variable_scope("r", use_resource=True):
        variables, values = restored(2)
    assigns = [v.assign(value, read_value=False) for v, value in zip(variables, values)]
    assert steps(targets=assigns)[2:] == [
        "RestoreOneByOne",
        *["ReadRestored", "AssignVariableOp"] * 2,
    ]


def is_left(*fetches, targets):
    return "RestoreV2" in steps(*fetches, targets=targets)


def test_shared_tensors_are_read_at_once():
    variables, values = restored(2)
    assigns = [v.assign(value).op for v, value in zip(variables, values)]
    assert is_left(values[0], targets=assigns)
    assert is_left(values[0] + 1.0, targets=assigns)
    assert is_left(targets=assigns[:1])
    assert not is_left(targets=assigns)


def test_single_tensor_is_read_at_once():
    variables, values = restored(1)
    assert is_left(targets=[variables[0].assign(values[0]).op])


def test_conditional_restore_is_read_at_once():
    variables, values = restored(2)
    told = tf.placeholder(tf.bool)
    both = tf.cond(
        told,
        lambda: tf.group(*[v.assign(value) for v, value in zip(variables, values)]),
        lambda: tf.no_op(),
    )
    with (
        tf.Session() as session,
        pytest.raises(
            tf.errors.NotFoundError, match=r"Failed to find any matching files for model\n"
        ),
    ):
        session.run(both, {told: True})


def test_other_updates_are_read_at_once():
    variables, values = restored(2)
    through = [tf.identity(v) for v in variables]
    sums = [tf.assign_add(v, value).op for v, value in zip(variables, values)]
    assert is_left(*through, targets=sums)
