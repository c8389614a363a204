"""Kernel sources are found, complete, and accepted by NVIDIA's compilers for two architectures."""

import contextlib
import re
import subprocess
import sys
import threading
import types
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.kernels import compilers
from tests.support.cuda_on_cpu import compile_module
from tests.support.fake_cupy.test_signatures import needs_cupy
from tfmini._src.devices.cuda import kernel_sources
from tfmini._src.devices.cuda.kernel_names import kernel_names

SMALL = ("biases", "staging")  # compile in a second or two

needs_a_compiler = pytest.mark.skipif(
    "not compilers.is_there()",  # a string: evaluated when a test starts, since it starts a process
    reason="needs NVRTC (pip install 'tfmini-runtime[dev]') or nvcc on PATH",
)


def test_kernel_file_names():
    assert {"softmax", "optimizers", "random_numbers", "scatter"} <= set(kernel_sources.names())


@needs_a_compiler
@pytest.mark.parametrize("name", SMALL)
def test_files_compile_without_warnings_or_spills(name):
    """For two architectures; `ci/check kernels` compiles for all."""
    code, log = compilers.compiled_elsewhere(kernel_sources.text(name), "sm_100")
    module = compile_module(kernel_sources.text(name), kernel_sources.OPTIONS)
    assert not compilers.complaints(log, module.max_threads), log
    assert set(compilers.registers(log)) == set(module.kernels)
    for kernel in module.kernels:
        assert kernel.encode() in code


@needs_a_compiler
def test_excessive_registers_are_reported():
    log = compilers.compiled_elsewhere(
        kernel_sources.text("softmax").replace("__launch_bounds__(512, 1)", ""), "sm_100"
    )[1]
    result = compilers.complaints(log, dict.fromkeys(compilers.registers(log), 1024))
    assert any(line.startswith("sparse_cross_entropy_f64_i64: ") for line in result), result


@needs_a_compiler
@needs_cupy
def test_compile_options_match_cupy():
    """cupy/cuda/compiler.py: _compile_with_cache_cuda and _compile_using_nvrtc add to the options of a RawModule."""
    origin = find_spec("cupy").origin
    text = (Path(origin).parent / "cuda" / "compiler.py").read_text(encoding="utf-8")
    added = re.findall(r"options \+= \('(-[^']*)',\)", text)
    assert set(compilers.ADDED_BY_CUPY) <= set(added)


@needs_a_compiler
def test_compile_log_names_file_and_line():
    text = kernel_sources.text("softmax").replace("T max_value = Limits", "T max_value = Limit")
    with pytest.raises(RuntimeError, match=r"softmax\.cu\(\d+\): error: .*Limit"):
        compilers.compiled_elsewhere(text, "sm_90")


def test_headers_are_included_once():
    text = kernel_sources.text("random_numbers")
    assert "#include" not in text
    assert text.count("typedef long long Index;") == 1
    lines = text.splitlines()
    start = lines.index('#line 1 "philox.h"')
    assert lines[start + 1].startswith("// Philox4x32-10")
    after = next(i for i in range(start, len(lines)) if lines[i].endswith('"random_numbers.cu"'))
    number = int(lines[after].split()[1])
    original = (kernel_sources._source_directory() / "random_numbers.cu").read_text().splitlines()
    assert lines[after + 1] == original[number - 1]


@pytest.fixture
def compiler():
    """A `cupy` module that records compilations: `compiler.made` has the first lines of each module."""

    class RawModule:
        def __init__(self, code, options):
            assert options == kernel_sources.OPTIONS  # others cost one CuPy compilation each
            xp.made.append(re.findall(r"^#define (ONLY.*)", code, re.MULTILINE))

        def get_function(self, name):
            xp.barrier()
            return types.SimpleNamespace(kernel=(xp.device[0], name))

    xp = types.ModuleType("cupy")
    xp.made, xp.device = [], [0]
    xp.barrier = lambda: None
    xp.RawModule = RawModule
    xp.cuda = types.SimpleNamespace(
        runtime=types.SimpleNamespace(getDevice=lambda: xp.device[0]),
        Device=lambda index: contextlib.nullcontext(),
    )
    return xp


def test_kernels_compile_individually_once_per_device(compiler):
    first = kernel_sources.function(compiler, "scans", "cumsum_rows_f32")
    assert kernel_sources.function(compiler, "scans", "cumsum_rows_f32") is first
    assert kernel_sources.function(compiler, "scans", "cumsum_rows_f64") == (0, "cumsum_rows_f64")
    compiler.device[0] = 1
    assert kernel_sources.function(compiler, "scans", "cumsum_rows_f32") == (1, "cumsum_rows_f32")
    only = [["ONLY", f"ONLY_cumsum_rows_{kind} 1"] for kind in ("f32", "f64", "f32")]
    assert compiler.made == only


def test_kernels_compile_in_parallel(compiler):
    """Each compilation waits until the other has started."""
    both = threading.Barrier(2, timeout=60)
    compiler.barrier = both.wait
    expected = [("softmax", "softmax_f32"), ("text\n", "fused"), ("softmax", "softmax_f32")]
    kernel_sources.load_ahead(compiler, 0, expected)
    assert sorted(compiler.made) == [[], ["ONLY", "ONLY_softmax_f32 1"]]
    compiler.barrier = None  # nothing is recompiled
    assert kernel_sources.function(compiler, "softmax", "softmax_f32") == (0, "softmax_f32")
    assert kernel_sources.compile_kernel(compiler, "text\n", "fused") == (0, "fused")


def test_load_ahead_failures_are_logged(compiler, caplog):
    def get_function(self, name):
        raise ValueError(f"no {name}\nfor this card")

    compiler.RawModule.get_function = get_function
    kernel_sources.load_ahead(compiler, 0, [("softmax", "softmax_f32"), ("text\n", "fused")])
    assert caplog.messages == [
        "2 of 2 kernels failed to compile ahead of time. softmax_f32: ValueError: no softmax_f32\nfor this card"
    ]
    with pytest.raises(ValueError, match="no softmax_f32"):
        kernel_sources.function(compiler, "softmax", "softmax_f32")


def test_compile_all_reuses_first_use_sources(compiler, monkeypatch):
    """They are compiled individually, as on first use."""
    monkeypatch.setattr(kernel_sources, "names", lambda: ["staging", "concat"])
    kernels = ["stage", "deliver", *(f"join_{width}" for width in (1, 2, 4, 8, 16))]
    assert kernel_sources.compile_all(compiler, 0) == kernels
    assert sorted(compiler.made) == sorted(["ONLY", f"ONLY_{name} 1"] for name in kernels)
    assert kernel_sources.function(compiler, "concat", "join_4") == (0, "join_4")
    assert len(compiler.made) == 7


def test_compile_error_stops_compile_all(compiler, monkeypatch):
    def get_function(self, name):
        raise ValueError(f"no {name}")

    monkeypatch.setattr(compiler.RawModule, "get_function", get_function)
    with pytest.raises(ValueError, match="no "):
        kernel_sources.compile_all(compiler, 0)


@pytest.mark.parametrize("name", kernel_sources.names())
def test_kernel_names_match_compiler(name):
    """The names found without a compiler equal a compiler's."""
    text = kernel_sources.text(name)
    result = kernel_names(text)
    assert len(result) == len(set(result))
    assert set(result) == set(compile_module(text, kernel_sources.OPTIONS).kernels)


@needs_a_compiler
def test_source_contains_one_kernel():
    """The code contains no other kernel."""
    source = kernel_sources.kernel_source("concat", "join_4")
    _, log = compilers.compiled_elsewhere(source, "sm_90", kernel_sources.OPTIONS)
    assert list(compilers.registers(log)) == ["join_4"]


def test_importing_functions_loads_no_cuda():
    program = (
        "import sys, tfmini._src.devices.cuda.softmax, tfmini._src.devices.cuda.kernel_sources as s; s.text('scans')"
        "; assert not {'cupy', 'cuda'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", program], check=True, cwd=kernel_sources._source_directory().parent
    )
