"""Fourier transforms of one, two and three dimensions, of complex and real numbers, with gradients."""

import numpy as np

TOLERANCE = 5e-5  # float32; the furthest value was off by less than 1e-5


def build(tf):
    random = np.random.RandomState(2)
    steps = []
    real = tf.constant(random.uniform(-1, 1, [2, 4, 6]).astype(np.float32), name="real")
    odd = tf.constant(random.uniform(-1, 1, [2, 5]).astype(np.float32), name="odd")
    whole = tf.complex(real, real[:, ::-1] * 0.5)
    double = tf.constant(random.uniform(-1, 1, [3, 5]) * (1 + 0.5j), tf.complex128, name="double")
    unknown = tf.placeholder_with_default(real, [None, None, None], name="unknown")
    anything = tf.placeholder_with_default(real, None, name="anything")

    def differentiate(name, function, x):
        with tf.name_scope(name):
            made = function(x)
            steps.append((name, made))
            total = tf.square(made)
            if made.dtype.is_complex:
                total = tf.real(made) ** 2 + tf.imag(made) * 3.0
            first = tf.gradients(total, x)[0]
            steps.append((name + " first", first))
            if not x.dtype.is_complex:
                steps.append((name + " second", tf.gradients(first**2, x)[0]))

    differentiate("fft", tf.fft, whole)
    differentiate("ifft", tf.ifft, double)
    differentiate("fft2d", tf.signal.fft2d, whole)
    differentiate("ifft2d", tf.spectral.ifft2d, double)
    differentiate("fft3d", tf.fft3d, whole)
    differentiate("ifft3d", tf.ifft3d, whole)
    differentiate("rfft", tf.signal.rfft, real)
    differentiate("rfft_odd", tf.spectral.rfft, odd)
    differentiate("rfft_unknown", tf.signal.rfft, unknown)
    differentiate("rfft2d", tf.signal.rfft2d, real)
    differentiate("rfft2d_unknown", tf.signal.rfft2d, unknown)
    differentiate("irfft", tf.signal.irfft, whole)
    differentiate("irfft_odd", lambda x: tf.signal.irfft(x[..., :3], [5]), whole)
    differentiate("irfft_unknown", lambda x: tf.signal.irfft(tf.cast(x, tf.complex64)), unknown)
    differentiate("irfft2d", lambda x: tf.spectral.irfft2d(x, [4, 10]), whole)
    steps.append(("rfft_padded", tf.signal.rfft(odd, [8])))
    steps.append(("rfft_cut", tf.signal.rfft(anything, [3])))
    steps.append(("irfft_padded", tf.signal.irfft(whole, [12])))
    steps.append(("rfft3d", tf.signal.rfft3d(real)))
    steps.append(("irfft3d", tf.signal.irfft3d(whole, [2, 4, 8])))
    steps.append(
        (
            "shifts",
            [tf.signal.fftshift(odd), tf.signal.ifftshift(odd, [1]), tf.signal.fftshift(real, 1)],
        )
    )
    return {"steps": steps}
