"""`ci/kernels`, with a compiler of the test's own."""

from tests.kernels import groups, matrix

LOG = "Compiling entry function '{}' for 'sm_90'\nptxas info : Used {} registers\n"


def test_what_is_wrong_fails(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(matrix, "_KEPT", tmp_path)

    def compiled(text, architecture, options):
        spills = "8 bytes spill stores\n" if architecture == "sm_80" else ""
        return b"", LOG.format("fused", 40) + spills

    monkeypatch.setattr(matrix, "found_compilers", lambda: {"NVRTC 12.9": compiled})
    assert matrix.main(["sm_90"], [("group", "a"), ("group", "b")]) == 0
    out = capsys.readouterr().out
    assert (
        out == "compiled by NVRTC 12.9\nsm_90   group          40 registers, the most of 2 texts\n"
    )
    assert matrix.main(["sm_80", "sm_90"], [("group", "a")]) == 1
    assert "sm_80   group        8 bytes spill stores" in capsys.readouterr().out


def test_texts_of_groups(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    found = groups.texts(["gradients_elementwise", "cells_lstm"])
    assert found
    assert all("__global__ void fused(" in text for text in found)


def test_groups_are_compiled_together():
    """Elementwise ones, whose kernels get names of their own; what has a text around it stays alone."""
    plain = [f'#line 1 "fused"\nvoid compute() {{}}\nvoid fused(T{n} x) {{}}\n' for n in range(31)]
    other = '#define A\n#line 1 "fused"\nvoid fused() {}\n'
    alone, first, last = groups.joined([plain[0], other, *plain[1:]])
    assert alone == other
    assert (
        last == "namespace group_0 {\nvoid compute() {}\nvoid fused_0(T30 x) {}\n}\n"
        and "void fused_29(T29 x)" in first
        and "#line" not in first
    )
