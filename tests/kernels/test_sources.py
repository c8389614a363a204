"""The kernels' texts: found, complete, and accepted by NVIDIA's compilers for two architectures."""

import re
import subprocess
import sys
import types
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cuda_on_cpu import compile_module
from tests.kernels import compilers
from tfmini.backend.gpu import sources

needs_a_compiler = pytest.mark.skipif(
    not (compilers.nvrtc() or compilers.nvcc()),
    reason="needs NVRTC (pip install 'tfmini[dev]') or nvcc on PATH",
)


def test_the_files():
    assert {"softmax", "optimizers", "random", "scatters"} <= set(sources.names())


@needs_a_compiler
@pytest.mark.parametrize("name", sources.names())
def test_each_file_compiles_without_warnings_or_spills(name):
    """For one architecture; `ci/kernels` compiles for all."""
    code, log = compilers.compiled(sources.text(name), "sm_100")
    module = compile_module(sources.text(name), sources.OPTIONS)
    assert not compilers.complaints(log, module.most_threads), log
    assert set(compilers.registers(log)) == set(module.kernels)
    for kernel in module.kernels:
        assert kernel.encode() in code


@needs_a_compiler
def test_registers_that_a_block_does_not_have_are_a_complaint():
    log = compilers.compiled(
        sources.text("softmax").replace("__launch_bounds__(512, 1)", ""), "sm_100"
    )[1]
    found = compilers.complaints(log, dict.fromkeys(compilers.registers(log), 1024))
    assert any(line.startswith("sparse_cross_entropy_f64_i64: ") for line in found), found


@needs_a_compiler
def test_texts_are_compiled_with_what_cupy_adds():
    """cupy/cuda/compiler.py: _compile_with_cache_cuda and _compile_using_nvrtc add to the options of a RawModule."""
    spec = find_spec("cupy")
    if spec is None or spec.origin is None:
        pytest.skip("needs CuPy")
    text = (Path(spec.origin).parent / "cuda" / "compiler.py").read_text(encoding="utf-8")
    added = re.findall(r"options \+= \('(-[^']*)',\)", text)
    assert set(compilers.ADDED_BY_CUPY) <= set(added)


@needs_a_compiler
def test_the_log_of_what_does_not_compile_names_file_and_line():
    text = sources.text("softmax").replace("T largest = Limits", "T largest = Limit")
    with pytest.raises(RuntimeError, match=r"softmax\.cu\(\d+\): error: .*Limit"):
        compilers.compiled(text, "sm_90")


def test_headers_are_in_the_text_once():
    text = sources.text("random")
    assert "#include" not in text
    assert text.count("typedef long long Index;") == 1
    lines = text.splitlines()
    start = lines.index('#line 1 "philox.h"')
    assert lines[start + 1].startswith("// Philox4x32-10")
    after = next(i for i in range(start, len(lines)) if lines[i].endswith('"random.cu"'))
    number = int(lines[after].split()[1])
    original = (sources._folder() / "random.cu").read_text().splitlines()
    assert lines[after + 1] == original[number - 1]


def test_a_file_is_one_module_for_each_device():
    made = []

    class RawModule:
        def __init__(self, code, options):
            assert options == sources.OPTIONS
            made.append(code)

        def get_function(self, name):
            return types.SimpleNamespace(kernel=(len(made), name))

    device = [0]
    xp = types.ModuleType("cupy")
    xp.RawModule = RawModule
    xp.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(getDevice=lambda: device[0]))
    first = sources.function(xp, "scans", "cumsum_rows_f32")
    assert sources.function(xp, "scans", "cumsum_rows_f32") is first
    assert sources.function(xp, "scans", "cumsum_rows_f64") == (1, "cumsum_rows_f64")
    device[0] = 1
    assert sources.function(xp, "scans", "cumsum_rows_f32") == (2, "cumsum_rows_f32")
    assert len(made) == 2


def test_nothing_of_cuda_is_loaded_with_the_functions():
    program = (
        "import sys, tfmini.backend.gpu.softmaxes, tfmini.backend.gpu.sources as s; s.text('scans')"
        "; assert not {'cupy', 'cuda'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=sources._folder().parent)
