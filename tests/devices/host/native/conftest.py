"""Runs each test of the native library on every build that this processor supports."""

from pathlib import Path

import pytest

from tfmini._src.devices.host.native import (
    convolution,
    elementwise_program,
    gather,
    library,
    matmul,
    number_index,
    optimizers,
    random_numbers,
    rows,
    runs,
    softmax,
    sparse_rows,
    strings,
)
from tfmini._src.devices.host.native.sequences import gru_cell

FOLDER = Path(library.__file__).parent
_CACHED = (library.build_name, library.library, library.function)
_CACHED += (elementwise_program.operations, strings._kernel_and_layout, optimizers.update_functions)
_CACHED += (optimizers._kernel_for_dtype, optimizers.row_update_functions, matmul.can_finish)
_CACHED += (number_index._required_kernel,)
_CACHED += (convolution._prepare_sizes, rows._kernel_adding, runs._run_stages_kernel)
_CACHED += (random_numbers._log_uniform, softmax._kernel_for_dtype, gather._kernel_for_ids)
_CACHED += (sparse_rows._filling_kernels, gru_cell.step_of_shape, gru_cell.step_back_of_shape)


def _builds() -> list[str]:
    names = {path.stem.removeprefix("libtfmini_") for path in FOLDER.glob("libtfmini_*.so")}
    best = library.build_name()
    if best == "sanitized":
        return [best]
    order = ["generic", "v3", "v4"]
    return [n for n in order if n in names and (best not in order or n <= best or n == "generic")]


def forget():
    for cached in _CACHED:
        cached.cache_clear()
    matmul._prepared.clear()


@pytest.fixture
def use_build(monkeypatch):
    """`use_build(name)` selects a build, or NumPy ("0"), for the rest of the test."""

    def use(name):
        monkeypatch.setenv("TFMINI_NATIVE", name)
        forget()

    yield use
    monkeypatch.undo()
    forget()


@pytest.fixture(params=_builds() or [None])
def build(request, use_build):
    if request.param is None:
        pytest.skip("the CPU's kernels are not built here")
    use_build(request.param)
    return request.param
