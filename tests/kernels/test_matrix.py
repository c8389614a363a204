"""`ci/check kernels` with a fake compiler."""

import re
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kernels import groups, matrix

LOG = "Compiling entry function '{}' for 'sm_90'\nptxas info : Used {} registers\n"


def plain(n):
    """An elementwise source."""
    return f'#line 1 "fused"\nvoid compute() {{}}\nvoid fused(T{n} x) {{}}\n'


class Compiler:
    """A fake compiler: kernels have a given number of registers, and sources with a given word spill."""

    def __init__(self, registers=40, spills="none"):
        self.registers, self.spills = registers, spills
        self.texts = []

    def __call__(self, text, architecture, options):
        self.texts.append(text)
        names = re.findall(r"void (fused\w*|reduced)\(", text)
        log = "".join(LOG.format(name, self.registers) for name in names)
        return b"", log + ("8 bytes spill stores\n" if self.spills in text else "")


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """A function that compiles groups and returns the exit status and the number of compilations."""
    monkeypatch.setattr(matrix, "_KEPT", tmp_path)
    monkeypatch.setattr(matrix.compilers, "wheels", list)  # it would load NVRTC

    def run(compiler, texts, architectures=("sm_90",)):
        monkeypatch.setattr(matrix, "found_compilers", lambda: {"NVRTC 12.9": compiler})
        before = len(compiler.texts)
        status = matrix.main(architectures, [("group", t) for t in texts], ThreadPoolExecutor(1))
        return status, len(compiler.texts) - before

    return run


def test_compiled_sources_are_cached(compiled, capsys):
    """Results are cached per source, whatever it was merged with."""
    compiler, texts = Compiler(), [plain(n) for n in range(32)]
    assert compiled(compiler, texts[:31]) == (0, 2)
    assert "sm_90   group          40 registers, the most of 31 texts\n" in capsys.readouterr().out
    assert compiled(compiler, texts[1:]) == (0, 1)
    assert "fused(T31" in compiler.texts[-1] and "namespace" not in compiler.texts[-1]
    assert compiled(compiler, texts, ["sm_90", "sm_80"]) == (0, 2)


def test_compile_errors_name_their_group(compiled, capsys):
    compiler = Compiler(spills="T1 x")
    assert compiled(compiler, [plain(n) for n in range(3)]) == (1, 4)  # together, then individually
    assert capsys.readouterr().out.count("sm_90   group        8 bytes spill stores") == 1
    assert compiled(compiler, [plain(1)]) == (1, 0)


@pytest.mark.parametrize("kernel, threads", [("fused", 256), ("reduced", 512)])
def test_register_limit_depends_on_block_size(compiled, capsys, kernel, threads):
    """Elementwise kernels use blocks of 256 threads, reductions up to 512."""
    text = plain(0).replace("fused(", f"{kernel}(")
    most = 65536 // threads
    assert compiled(Compiler(most), [text])[0] == 0
    assert compiled(Compiler(most + 8), [text + "\n"])[0] == 1
    assert f"{kernel}: {most + 8} registers for {threads} threads" in capsys.readouterr().out


def test_uncompiled_file_kernel_is_reported(monkeypatch):
    monkeypatch.setattr(matrix, "found_compilers", lambda: {"NVRTC 12.9": Compiler()})
    module = types.SimpleNamespace(max_threads={"fused_0": 256, "other": 256})
    monkeypatch.setattr(matrix, "compile_module", lambda text, options: module)
    text = plain(0).replace("fused(", "fused_0(")
    assert matrix.checked([("file", text)], "sm_90", "NVRTC 12.9") == [
        (40, ["other: not compiled"])
    ]


@pytest.mark.full
def test_group_sources(gpu_environment):
    result = groups.texts(["gradients_elementwise", "cells_lstm"])
    assert result
    assert all("__global__ void fused(" in text for text in result)


def test_elementwise_sources_are_merged():
    """Elementwise ones, with renamed kernels; a source with other code stays separate."""
    other = '#define A\n#line 1 "fused"\nvoid fused() {}\n'
    texts = [("group", text) for text in [plain(0), other, *map(plain, range(1, 31))]]
    first, second, last = matrix.parts(texts)
    assert first == [("group", other)]
    assert len(second) == 30 and last == texts[-1:]
    text = groups.joined([text for _, text in second])
    assert "void fused_29(T29 x)" in text and "#line" not in text
    assert text.startswith("namespace group_0 {\nvoid compute() {}\nvoid fused_0(T0 x) {}\n}\n")
