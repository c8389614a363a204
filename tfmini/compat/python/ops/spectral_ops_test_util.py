"""`tensorflow.python.ops.spectral_ops_test_util`: a context manager for tests of Fourier transforms."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tfmini._src.graph.default_graph import get_default_graph

__all__ = ["fft_kernel_label_map"]


def fft_kernel_label_map() -> AbstractContextManager[None]:
    """Context manager that selects the default kernels, which are the only kernels, for new nodes."""
    return get_default_graph()._kernel_label_map({})
