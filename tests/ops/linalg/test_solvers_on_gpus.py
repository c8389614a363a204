"""Singular and non-factorizable matrices on GPUs, for which CuPy's functions report no error by default."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.fake_cupy import decompositions, extras

REGULAR = np.array([[4.0, 1], [1, 3]])
SOLVERS = {
    "inverse": (tf.matrix_inverse, "Input is not invertible"),
    "solve": (lambda m: tf.matrix_solve(m, tf.ones_like(m)), "Input matrix is not invertible"),
    "cholesky": (tf.cholesky, "Cholesky decomposition was not successful"),
}
NO_EIGENVALUES = (
    "^Self-adjoint eigen decomposition was not successful. The input might not be valid."
)


@pytest.mark.parametrize(
    "function, error, text",
    [
        (tf.self_adjoint_eigvals, tf.errors.InvalidArgumentError, NO_EIGENVALUES),
        (lambda m: tf.self_adjoint_eig(m)[1], tf.errors.InvalidArgumentError, NO_EIGENVALUES),
        (lambda m: tf.svd(m)[1], tf.errors.InternalError, "Error reported by gesvd in cuSOLVER."),
    ],
    ids=["values", "vectors", "svd"],
)
def test_nonconvergence_is_reported(gpu, monkeypatch, function, error, text):
    """CuPy's functions report it only if set to raise, and otherwise return partial results."""
    monkeypatch.setattr(
        decompositions, "check_info", lambda name, failed: extras.check_info(name, True)
    )
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2, 2])
        with pytest.raises(error, match=text):
            session.run(function(x), {x: REGULAR})


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("batch", [(), (2,)], ids=str)
def test_singular_matrices_are_refused(gpu, name, batch):
    function, message = SOLVERS[name]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [*batch, 2, 2])
        y = function(x)
        result = session.run(y, {x: np.broadcast_to(REGULAR, (*batch, 2, 2))})
        assert np.isfinite(result).all()
        matrices = np.broadcast_to(REGULAR, (*batch, 2, 2)).copy()
        matrices.reshape(-1, 2, 2)[-1] = 0
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(y, {x: matrices})
        np.testing.assert_array_equal(
            session.run(y, {x: np.broadcast_to(REGULAR, (*batch, 2, 2))}), result
        )
    assert any(kind in gpu.counters.launch_names for kind in ("inv", "solve", "cholesky"))
