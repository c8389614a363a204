"""Which build is loaded, and what happens where there is none."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.backend.native import library
from tfmini.backend.native.optimizers import updates_of
from tfmini.backend.native.programs import most_registers, operations


def test_the_build_of_this_processor_is_taken(build, use_build):
    use_build("")
    assert library.build_name() in ("generic", "v3", "v4", "sanitized")
    assert library.library() is not None


def test_a_build_by_name(build):
    assert library.build_name() == build


@pytest.mark.parametrize("name", ["0", "of_another_processor"])
def test_numpy_computes_where_there_is_none(use_build, name):
    use_build(name)
    assert library.build_name() == ""
    assert library.library() is None
    assert operations() == {}
    assert most_registers() == 0
    assert updates_of("adam", np.float32) is None
    logits = np.random.RandomState(1).randn(64, 100).astype("f")
    with tf.Session() as session:
        got = session.run(tf.nn.softmax(logits))
    wanted = np.exp(logits.astype("d")) / np.exp(logits.astype("d")).sum(1, keepdims=True)
    np.testing.assert_allclose(got, wanted, rtol=2e-6)


def test_a_file_that_does_not_load_is_named(use_build, monkeypatch, tmp_path, caplog):
    (tmp_path / "libtfmini_broken.so").write_bytes(b"no library")
    monkeypatch.setattr(library, "_FOLDER", str(tmp_path))
    use_build("broken")
    assert library.build_name() == ""
    assert "libtfmini_broken.so do not load, numpy computes instead: " in caplog.text


def test_numpy_computes_what_an_older_build_lacks(build, caplog):
    library._warn_of_age.cache_clear()
    assert library.function("kernel_of_tomorrow") is None
    assert "are of an older tfmini, numpy computes what they lack" in caplog.text


def test_addresses_are_those_of_the_elements():
    array = np.arange(10.0)
    assert library.address(array[3:]) - library.address(array) == 24


def test_a_build_of_another_tfmini_is_left(build, monkeypatch, caplog):
    library._warn_of_age.cache_clear()
    monkeypatch.setattr(library, "_INTERFACE", -1)
    assert library._open(build) is None
    assert "install tfmini again" in caplog.text
