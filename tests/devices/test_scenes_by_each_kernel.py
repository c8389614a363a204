"""Scenes' recorded results hold for every implementation: CPU kernels for small and large arrays, on several threads,
and NumPy in blocks of all sizes.
"""

import pytest

import tfmini as tf
from tests.conformance import scenes
from tests.devices.host.native.conftest import forget
from tfmini._src.devices.host import threads
from tfmini._src.devices.host.native import (
    argmax_in_top_k as native_argmax_in_top_k,
    channel_statistics as native_channel_statistics,
    concat as native_concat,
    convolution as native_convolution,
    decompositions as native_decompositions,
    depthwise_conv as native_depthwise_conv,
    dilation as native_dilation,
    elementwise_program as native_elementwise_program,
    gather as native_gather,
    linear_systems as native_linear_systems,
    local_norms as native_local_norms,
    matmul as native_matmul,
    non_max_suppression as native_non_max_suppression,
    optimizers as native_optimizers,
    pooling as native_pooling,
    random_numbers as native_random_numbers,
    rows as native_rows,
    segment_reduce as native_segment_reduce,
    shuffle as native_shuffle,
    softmax as native_softmax,
    sparse_matmul as native_sparse_matmul,
    strings as native_strings,
    transpose as native_transpose,
)
from tfmini._src.devices.host.native.images import (
    colors as native_colors,
    crop_and_resize as native_crop_and_resize,
    image_resample as native_image_resample,
)
from tfmini._src.devices.host.native.sequences import ctc_loss as native_ctc_loss
from tfmini._src.devices.numpy import (
    blas as numpy_blas,
    candidate_sampler as numpy_candidate_sampler,
    channel_statistics as numpy_channel_statistics,
    farmhash as numpy_farmhash,
    image_resample as numpy_image_resample,
    introsort as numpy_introsort,
    min_max as numpy_min_max,
    non_max_suppression as numpy_non_max_suppression,
    random_choices as numpy_shuffle_and_multinomial,
    random_distributions as numpy_random_distributions,
    rejection_sampling as numpy_rejection_sampling,
    rgb_hsv as numpy_rgb_hsv,
    row_blocks as numpy_row_blocks,
    row_scatter as numpy_row_scatter,
    segment_reduce as numpy_segment_reduce,
    string_hashes as numpy_string_hashes,
)
from tfmini._src.devices.numpy.windows import (
    convolution as windows_convolution,
    depthwise_conv as windows_depthwise_conv,
    dilation as windows_dilation,
    fractional_pool as windows_fractional_pool,
    pooling as windows_pooling,
)

# Thresholds other than those called `_MIN_...`, and block sizes. Not the matrix sizes for LAPACK or BLAS.
_THRESHOLDS = ("_HEAD_START", "_MAX_NUMPY_MULTIPLICATIONS", "_PART", "_SHALLOW")
_BLOCKS = ("ROW_BLOCK", "_BLOCK", "_BLOCKS", "_CPU_BYTES", "_FOLDED_COLUMNS", "_MIN_BLOCK_COLUMNS")
_BLAS = ("_MIN_COLUMNS", "_MIN_TRANSPOSED")
_KEPT = ("decompositions", "linear_systems", "colors", "parameterized_truncated_normal")
MODULES = (
    native_ctc_loss,
    native_argmax_in_top_k,
    native_channel_statistics,
    native_colors,
    native_concat,
    native_convolution,
    native_crop_and_resize,
    native_decompositions,
    native_depthwise_conv,
    native_dilation,
    native_elementwise_program,
    native_gather,
    native_image_resample,
    native_linear_systems,
    native_local_norms,
    native_matmul,
    native_non_max_suppression,
    native_optimizers,
    native_pooling,
    native_random_numbers,
    native_rows,
    native_segment_reduce,
    native_shuffle,
    native_softmax,
    native_sparse_matmul,
    native_strings,
    native_transpose,
    numpy_blas,
    numpy_candidate_sampler,
    numpy_channel_statistics,
    numpy_farmhash,
    numpy_rejection_sampling,
    numpy_image_resample,
    numpy_introsort,
    numpy_min_max,
    numpy_non_max_suppression,
    numpy_random_distributions,
    numpy_rgb_hsv,
    numpy_row_blocks,
    numpy_row_scatter,
    numpy_segment_reduce,
    numpy_shuffle_and_multinomial,
    numpy_string_hashes,
    windows_convolution,
    windows_depthwise_conv,
    windows_dilation,
    windows_fractional_pool,
    windows_pooling,
)
WAYS = ("kernels", "numpy")
SCENES = {
    "devices_numbers": ("two_by_two", "reduced", "chosen_rows", "layers", "moved"),
    "devices_sizes": (
        *("elementwise", "reduced", "layers", "products", "windows", "moved", "images"),
        *("drawn_numbers", "updates"),
    ),
    "devices_texts": ("words",),
    "devices_lengths": ("hashes", "spelled"),
    "devices_long_draws": ("in_another_order", "without_state"),
    "devices_views": ("matrices", "images"),
    "ops_windows": ("pooled", "convolved"),
    "ops_images": ("recoloured", "cut_and_resized", "suppressed"),
    "ops_draws": ("draws",),
    "ops_matrices": ("solved",),
    "ops_products": ("multiplied",),
    "ops_counted": ("reduced", "found_and_counted"),
    "ops_nets": ("normalized_and_compared",),
}


def forget_all():
    forget()
    for module in MODULES:
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.fixture
def small_blocks(monkeypatch):
    """Uses three threads, and lowers all size thresholds to a few elements."""
    with monkeypatch.context() as patch:
        patch.setattr(threads._threads, "count", 3)
        for module in MODULES:
            if module.__name__.rpartition(".")[2] in _KEPT:
                continue
            for name, value in vars(module).copy().items():
                if not isinstance(value, int) or name in _BLAS:
                    continue
                if name in _BLOCKS:
                    patch.setattr(module, name, 7)
                elif name in _THRESHOLDS or name.startswith("_MIN_"):
                    patch.setattr(module, name, 1)
        yield patch
    forget_all()


CASES = [(f"{file}-{name}", way) for file in SCENES for name in SCENES[file] for way in WAYS]


@pytest.mark.parametrize("scene, way", CASES)
def test_scene(scene, way, small_blocks):
    small_blocks.setenv("TFMINI_NATIVE", "0" if way == "numpy" else "1")
    forget_all()
    scenes.check(tf, scene)
