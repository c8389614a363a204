"""Fourier transforms."""

import numpy as np

from tests.conformance.samples import Sample

REAL = np.arange(48, dtype=np.float32).reshape(2, 4, 6) ** 2 % 17 - 8
WHOLE = (REAL + 0.5j * REAL[:, ::-1]).astype("F")
HALF = np.fft.rfftn(REAL, axes=(1, 2)).astype("F")


def lengths(*sizes):
    return np.array(sizes, "i4")


SAMPLES = [
    Sample("FFT", [WHOLE], expect=np.fft.fft, gradient=[0]),
    Sample("IFFT", [WHOLE.astype("D")], expect=np.fft.ifft, gradient=[0]),
    Sample("FFT2D", [WHOLE], expect=np.fft.fft2, gradient=[0]),
    Sample("IFFT2D", [WHOLE], expect=np.fft.ifft2, gradient=[0]),
    Sample("FFT3D", [WHOLE], expect=np.fft.fftn, gradient=[0]),
    Sample("IFFT3D", [WHOLE], expect=np.fft.ifftn, gradient=[0]),
    Sample("RFFT", [REAL, lengths(6)], expect=lambda x, n: np.fft.rfft(x), step=0.25),
    Sample("RFFT", [REAL, lengths(3)], expect=lambda x, n: np.fft.rfft(x, 3), note="cropped", gradient=()),
    Sample("RFFT2D", [REAL, lengths(4, 6)], expect=lambda x, n: np.fft.rfft2(x), step=0.25),
    Sample("RFFT3D", [REAL, lengths(2, 4, 5)], expect=lambda x, n: np.fft.rfftn(x, (2, 4, 5), (0, 1, 2))),
    Sample("IRFFT", [HALF, lengths(6)], expect=lambda x, n: np.fft.irfft(x), step=0.25),
    Sample("IRFFT", [HALF, lengths(7)], expect=lambda x, n: np.fft.irfft(x, 7), note="odd", step=0.25),
    Sample("IRFFT2D", [HALF, lengths(4, 6)], expect=lambda x, n: np.fft.irfft2(x), step=0.25),
    Sample("IRFFT3D", [HALF, lengths(2, 3, 6)], expect=lambda x, n: np.fft.irfftn(x, (2, 3, 6), (0, 1, 2))),
]  # fmt: skip
