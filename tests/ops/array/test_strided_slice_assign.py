"""Assignments to slices of variables: written elements, and errors without side effects."""

import numpy as np
import pytest

import tfmini as tf

ROWS = np.arange(12, dtype="f").reshape(3, 4)


@pytest.fixture(params=[False, True], ids=["reference", "resource"])
def variable(request, session):
    created = tf.Variable(ROWS, name="v", use_resource=request.param)
    session.run(created.initializer)
    return created


@pytest.mark.parametrize(
    "index, value",
    [
        (np.s_[0], [9.0, 8.0, 7.0, 6.0]),
        (np.s_[1:, ::2], [[1.0, 2.0], [3.0, 4.0]]),
        (np.s_[..., -1], [7.0, 8.0, 9.0]),
        (np.s_[0, 0], 5.0),
        (np.s_[None, 1], [[1.0, 2.0, 3.0, 4.0]]),
        (np.s_[::-1], ROWS * 2),
        (np.s_[0:0], np.zeros((0, 4))),
        (np.s_[:], ROWS + 1),
    ],
    ids=str,
)
def test_assignment_matches_numpy(session, variable, index, value):
    expected = ROWS.copy()
    expected[index] = value
    result = variable[index].assign(value)
    assert result.op.name == "strided_slice/_assign"
    np.testing.assert_array_equal(session.run(result), expected)
    np.testing.assert_array_equal(session.run(variable), expected)


WRONG = [
    (np.s_[0], [1.0, 2.0], "[4]", "[2]"),
    (np.s_[0], 1.0, "[4]", "[]"),
    (np.s_[0], [[1.0, 2.0, 3.0, 4.0]], "[4]", "[1,4]"),
    (np.s_[0:2], [[1.0, 2.0, 3.0, 4.0]], "[2,4]", "[1,4]"),
    (np.s_[0, 0:1], 1.0, "[1]", "[]"),
]


@pytest.mark.parametrize("index, value, left, right", WRONG, ids=str)
def test_shape_mismatch_is_refused(session, variable, index, value, left, right):
    assignment = variable[index].assign(value)
    with pytest.raises(tf.errors.UnimplementedError) as caught:
        session.run(assignment)
    assert caught.value.message.split("\n\t [[")[0] == (
        f"sliced l-value shape {left} does not match r-value shape {right}. Automatic broadcasting "
        "not yet implemented."
    )
    np.testing.assert_array_equal(session.run(variable), ROWS)


@pytest.mark.parametrize("index", [np.s_[1:1], np.s_[2:1], np.s_[:, 3:3], np.s_[7:]], ids=str)
@pytest.mark.parametrize("value", [5.0, [1.0], [1.0, 2.0], np.zeros((0, 7))], ids=str)
def test_empty_slice_accepts_any_value(session, variable, index, value):
    session.run(variable[index].assign(value))
    np.testing.assert_array_equal(session.run(variable), ROWS)


def test_strings(session):
    variable = tf.Variable(["a", "b"])
    session.run(variable.initializer)
    assert session.run(variable[0].assign("c")).tolist() == [b"c", b"b"]


def test_earlier_read_is_unaffected(session, variable):
    before = session.run(variable)
    session.run(variable[0].assign(ROWS[2]))
    np.testing.assert_array_equal(before, ROWS)


def test_uninitialized_variable_is_refused(session):
    with pytest.raises(
        tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value w"
    ):
        session.run(tf.Variable(ROWS, name="w")[0].assign(ROWS[0]))
