"""Selection of a build, and the fallback without one."""

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.host.native import library
from tfmini._src.devices.host.native.elementwise_program import max_registers, operations
from tfmini._src.devices.host.native.optimizers import update_functions


def test_best_build_is_selected(build, use_build):
    use_build("")
    assert library.build_name() in ("generic", "v3", "v4", "sanitized")
    assert library.library() is not None


def test_build_is_selected_by_name(build):
    assert library.build_name() == build


@pytest.mark.parametrize("name", ["0", "of_another_processor"])
def test_missing_build_falls_back_to_numpy(use_build, name):
    use_build(name)
    assert library.build_name() == ""
    assert library.numpy_reason() == f"TFMINI_NATIVE={name}"
    assert library.library() is None
    assert operations() == {}
    assert max_registers() == 0
    assert update_functions("adam", np.float32) is None
    logits = np.random.RandomState(1).randn(64, 100).astype("f")
    with tf.Session() as session:
        got = session.run(tf.nn.softmax(logits))
    expected = np.exp(logits.astype("d")) / np.exp(logits.astype("d")).sum(1, keepdims=True)
    np.testing.assert_allclose(got, expected, rtol=2e-6)


def test_unknown_build_name_is_reported(use_build, caplog):
    use_build("of_another_processor")
    assert library.build_name() == ""
    message = "TFMINI_NATIVE=of_another_processor: no such build; using NumPy"
    assert message in caplog.text


def test_unsupported_instruction_set_is_rejected(build, use_build, monkeypatch, caplog):
    monkeypatch.setitem(library._LEVELS, build, 1000)
    use_build(build)
    assert library.build_name() == ""
    assert "the processor lacks its instructions; using NumPy" in caplog.text


def test_load_failure_names_file(use_build, monkeypatch, tmp_path, caplog):
    (tmp_path / "libtfmini_generic.so").write_bytes(b"no library")
    monkeypatch.setattr(library, "_DIRECTORY", str(tmp_path))
    use_build("")
    assert library.build_name() == ""
    assert "libtfmini_generic.so failed to load; using slower ones or NumPy: " in caplog.text
    assert "fail to load" in library.numpy_reason()


def test_unbuilt_library_is_explained(use_build, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr(library, "_DIRECTORY", str(tmp_path))
    use_build("")
    assert library.build_name() == ""
    assert library.numpy_reason().startswith(
        "not built in this checkout: run `python setup.py build_ext"
    )
    monkeypatch.setattr(library, "_SOURCES", str(tmp_path / "kernels"))  # of an installation
    assert "without a C++17 compiler" in library.numpy_reason()
    assert not caplog.text
    (tmp_path / "libtfmini_v3.so").touch()
    assert "are incomplete" in library.numpy_reason()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the lengths of ELF files")
@pytest.mark.parametrize("kept", [0, 63, 0.2, 0.5, -1])
def test_truncated_library_is_not_loaded(build, use_build, monkeypatch, tmp_path, caplog, kept):
    """Loading it would crash the process: accessing the missing part raises a signal."""
    whole = Path(library._path(build)).read_bytes()
    kept = int(kept * len(whole)) if 0 < kept < 1 else kept
    (tmp_path / "libtfmini_generic.so").write_bytes(whole[:kept])
    monkeypatch.setattr(library, "_DIRECTORY", str(tmp_path))
    use_build("")
    assert library.build_name() == ""
    assert "libtfmini_generic.so failed to load" in caplog.text
    assert kept in (0, 63) or " truncated by " in caplog.text


def test_next_slower_build_is_fallback(use_build, monkeypatch):
    """For a build that fails to load."""

    class Generic:
        def processor_level(self):
            return 4

    opened = {"generic": Generic(), "v3": object()}
    monkeypatch.setattr(library, "_open", opened.get)
    use_build("")
    assert library.build_name() == "v3"
    del opened["v3"]
    use_build("")
    assert library.build_name() == "generic"
    opened.clear()
    use_build("")
    assert library.build_name() == ""


def test_older_build_falls_back_to_numpy(build, caplog):
    library._warn_outdated.cache_clear()
    assert library.function("kernel_of_tomorrow") is None
    assert "built by an older tfmini; using NumPy for the rest" in caplog.text


def test_functions_have_declared_argument_types(build, monkeypatch):
    """EXPORT int qr_f32(const float* a, float* q, float* r, Index count, ..., Index threads)."""
    monkeypatch.setattr(library.builtin_functions, "_python", lambda: None)
    library.function.cache_clear()
    kernel = library.function("qr_f32")
    assert kernel.argtypes == [library._Address] * 3 + [ctypes.c_int64] * 5
    assert kernel.restype == ctypes.c_int
    assert library.function("max_pooled_f64").argtypes[-1] == ctypes.c_double
    assert library.function("softmax_f32").restype is None


def test_addresses_point_to_elements():
    array = np.arange(10.0)
    assert library.address(array[3:]) - library.address(array) == 24


def test_build_version_mismatch_is_rejected(build, monkeypatch, caplog):
    library._warn_outdated.cache_clear()
    monkeypatch.setattr(library, "_declarations", lambda: (-1, {}))
    assert library._open(build) is None
    assert "Reinstall to rebuild" in caplog.text
