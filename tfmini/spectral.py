"""tf.spectral: Fourier and cosine transforms, which `tf.signal` offers too."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.signal.cosine_transforms import dct, idct
from tfmini.ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from tfmini.ops.signal.real_fourier import irfft, irfft2d, irfft3d, rfft, rfft2d, rfft3d

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "irfft",
    "irfft2d",
    "irfft3d",
    "rfft",
    "rfft2d",
    "rfft3d",
]
_namespace(globals())
