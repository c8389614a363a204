"""Products through cuBLAS's interface, with a replacement library on host memory."""

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.cuda import cublas
from tfmini._src.devices.cuda.cublas import Cublas, CublasError, open_cublas

SOURCE = Path(__file__).with_name("cublas_on_cpu.c")
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("cublas") / "cublas_on_cpu.so"
    command = ["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(path), str(SOURCE)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


@pytest.fixture
def blas(library):
    handle = Cublas(library, stream=1, workspace=1)
    yield handle
    handle.close()


def on_device(array):
    """An array with CuPy's address attributes."""
    return SimpleNamespace(
        shape=array.shape, dtype=array.dtype, data=SimpleNamespace(ptr=array.ctypes.data)
    )


def random(shape, dtype):
    source = np.random.RandomState(0)
    values = source.randn(*shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * source.randn(*shape)
    return np.ascontiguousarray(values.astype(dtype))


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("leading", [(), (1,), (3,), (2, 3)])
def test_matmuls_match_numpy(blas, dtype, transpose_a, transpose_b, leading):
    a, b = random((*leading, 4, 5), dtype), random((*leading, 5, 7), dtype)
    expected = a @ b
    a = np.ascontiguousarray(np.swapaxes(a, -1, -2)) if transpose_a else a
    b = np.ascontiguousarray(np.swapaxes(b, -1, -2)) if transpose_b else b
    result = np.full(expected.shape, np.nan, dtype)
    x, y = on_device(a), on_device(b)
    blas.run(blas.product(x, y, transpose_a, transpose_b), x, y, on_device(result))
    np.testing.assert_allclose(result, expected, rtol=1e-5 if dtype in ("f4", "c8") else 1e-12)


def test_empty_inner_dimension_gives_zeros(blas):
    result = np.ones((2, 3), "f4")
    a, b = np.ones((2, 0), "f4"), np.ones((0, 3), "f4")
    x, y = on_device(a), on_device(b)
    blas.run(blas.product(x, y, False, False), x, y, on_device(result))
    assert (result == 0).all()


def test_supported_dtypes(blas):
    assert all(blas.supports(np.dtype(kind)) for kind in ("f4", "c16", "f2"))
    assert not blas.supports(np.dtype("i4"))


def test_errors_name_call_and_status(library):
    with pytest.raises(CublasError, match=r"cublasSetStream_v2: invalid value \(7\)"):
        Cublas(library, stream=0, workspace=1)


@pytest.mark.parametrize(
    "major, there",
    [
        (13, "/wheels/libcublas.so.13"),  # pathfinder's
        (12, "libcublas.so.12"),  # the loader's
        (12, "nvidia/cublas/lib/libcublas.so.12"),
        (11, None),
    ],
)
def test_library_matches_cupy_cuda_version(monkeypatch, tmp_path, major, there):
    """pathfinder returns CUDA 13's if wheels of both are installed, but handles and streams of CuPy for CUDA 12
    differ.
    """
    wheel = tmp_path / "nvidia" / "cublas" / "lib"
    wheel.mkdir(parents=True)
    (wheel / "libcublas.so.12").touch()

    def load(path):
        if path not in (there, f"{tmp_path}/{there}"):
            raise OSError(path)
        return path

    result = SimpleNamespace(abs_path="/wheels/libcublas.so.13")
    pathfinder = SimpleNamespace(load_nvidia_dynamic_lib=lambda name: result)
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(pathfinder=pathfinder))
    monkeypatch.setattr(cublas, "ctypes", SimpleNamespace(CDLL=load))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    got = open_cublas(major)
    assert (got and got.removeprefix(f"{tmp_path}/")) == there
