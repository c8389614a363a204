"""Identity ops: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.ensure_shape(t.p, [2, 4]),
        ValueError,
        (
            "Dimension 1 in both shapes must be equal, but are 4 and 3. Shapes are [2,4] "
            "and [?,3]. for 'EnsureShape' (op: 'EnsureShape') with input shapes: [?,3]."
        ),
    ),
    (
        lambda t: tf.ensure_shape(t.p, [2, 4, 3]),
        ValueError,
        (
            "Shape must be rank 3 but is rank 2 for 'EnsureShape' (op: 'EnsureShape') with "
            "input shapes: [?,3]."
        ),
    ),
    (
        lambda t: tf.identity_n(t.x),
        TypeError,
        (
            "Expected list for 'input' argument to 'IdentityN' Op, not Tensor(\"x:0\", "
            "shape=(2, 3, 4), dtype=float32)."
        ),
    ),
]


def test_guarantee_const_refuses_resource_handle():
    v = tf.Variable(1.0, use_resource=True)
    promised = tf.guarantee_const(v.handle)
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be a resource variable"):
            session.run(promised)
        assert session.run(tf.guarantee_const(v)) == 1.0


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
