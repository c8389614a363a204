"""Circulant operators."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(1)

LINALG = tf.linalg


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-5)


def test_product_is_a_convolution():
    kernel = RANDOM.uniform(-1, 1, (2, 3)).astype("f")
    image = RANDOM.uniform(-1, 1, (2, 3)).astype("f")
    operator = LINALG.LinearOperatorCirculant2D(np.fft.fft2(kernel), input_output_dtype=tf.float32)
    product, dense, matrix = run(
        [operator.matvec(image.ravel()), operator.to_dense(), operator.convolution_kernel()]
    )
    expected = np.fft.ifft2(np.fft.fft2(kernel) * np.fft.fft2(image)).real
    close(product, expected.ravel())
    close(dense @ image.ravel(), expected.ravel())
    close(matrix, kernel)


def test_three_dimensions():
    """The matrix of a convolution with a kernel whose Fourier transform is the spectrum."""
    spectrum = np.fft.fftn(np.arange(8.0).reshape(2, 2, 2))
    with tf.Graph().as_default(), tf.Session() as session:
        operator = LINALG.LinearOperatorCirculant3D(
            spectrum.astype(np.complex128), input_output_dtype=tf.complex128
        )
        result = session.run(operator.to_dense())
    assert operator.block_depth == 3
    for column in range(8):
        impulse = np.zeros(8)
        impulse[column] = 1.0
        expected = np.fft.ifftn(spectrum * np.fft.fftn(impulse.reshape(2, 2, 2)))
        np.testing.assert_allclose(result[:, column], expected.ravel(), atol=1e-12)


def test_double_precision_is_preserved():
    column, row = RANDOM.uniform(1, 2, 5), RANDOM.uniform(-0.1, 0.1, 5)
    dense = np.array([[row[j - i] if j > i else column[i - j] for j in range(5)] for i in range(5)])
    around = np.stack([np.roll(column, n) for n in range(5)], axis=1)
    x = RANDOM.uniform(-1, 1, (5, 2))
    spectrum = np.fft.fft(column)
    toeplitz = LINALG.LinearOperatorToeplitz(column, row)
    circulant = LINALG.LinearOperatorCirculant(spectrum, tf.float64)
    even = LINALG.LinearOperatorCirculant(spectrum.real, tf.float64)
    of_even = np.stack([np.roll(np.fft.ifft(spectrum.real).real, n) for n in range(5)], axis=1)
    for operator, matrix in ((toeplitz, dense), (circulant, around), (even, of_even)):
        product, turned = run([operator.matmul(x), operator.matmul(x, adjoint=True)])
        np.testing.assert_allclose(product, matrix @ x, rtol=0, atol=1e-13)
        np.testing.assert_allclose(turned, matrix.T @ x, rtol=0, atol=1e-13)
