"""tf.spectral: Fourier and cosine transforms, which `tf.signal` offers too."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.cosine_transforms import dct, idct
from tfmini.ops.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from tfmini.ops.real_fourier import irfft, irfft2d, irfft3d, rfft, rfft2d, rfft3d

__all__ = [name for name in globals() if not name.startswith("_")]
__getattr__ = _no_attributes(__name__, globals())
