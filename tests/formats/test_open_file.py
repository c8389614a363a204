import os
import sys

import pytest

import tfmini as tf
from tfmini._src.base import errors
from tfmini._src.formats.open_file import open_file, read_bytes


@pytest.mark.parametrize("inputs", ["{}", "file://{}", "file://some.machine{}"])
@pytest.mark.parametrize("kind", [str, str.encode])
def test_path_types(tmp_path, inputs, kind):
    path = kind(inputs.format(tmp_path / "there"))
    with open_file(path, "wb") as file:
        file.write(b"one\r\ntwo")
    assert (tmp_path / "there").read_bytes() == b"one\r\ntwo"
    with open_file(path, "r", encoding="ascii", newline="") as file:
        assert file.read() == "one\r\ntwo"


def test_path_object_without_buffering(tmp_path):
    with open_file(tmp_path / "there", "xb", 0) as file:
        file.write(b"at once")
        assert (tmp_path / "there").read_bytes() == b"at once"


def test_system_errors_are_translated(tmp_path):
    with pytest.raises(errors.NotFoundError) as raised:
        open_file(f"file://{tmp_path}/none", "rb")
    assert raised.value.message == f"file://{tmp_path}/none; No such file or directory"
    with pytest.raises(errors.FailedPreconditionError) as raised:
        open_file(tmp_path, "rb")
    assert raised.value.message == f"{tmp_path}; Is a directory"
    (tmp_path / "there").touch()
    with pytest.raises(errors.AlreadyExistsError, match="; File exists$"):
        open_file(tmp_path / "there", "xb")
    with pytest.raises(errors.UnimplementedError, match="scheme 'gs' not implemented"):
        open_file("gs://bucket/file", "rb")


def test_read_bytes(tmp_path):
    (tmp_path / "there").write_bytes(b"one\r\ntwo\xff")
    assert read_bytes(os.fsencode(f"file://{tmp_path}/there")) == b"one\r\ntwo\xff"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux only")
def test_read_error_is_translated():
    with pytest.raises(errors.UnknownError) as raised:
        read_bytes(b"/proc/self/mem")
    assert raised.value.message == "/proc/self/mem; Input/output error"


def test_devices_and_pipes_read_as_empty(tmp_path):
    """TensorFlow 1.15.5 reads as many bytes as the reported size; devices may be read partially."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", "/dev/null", str(tmp_path / "pipe")):
        assert read_bytes(path) == b""
    file = tf.gfile.GFile("/dev/zero", "rb")
    assert file.read() == b"" and file.read(5) == bytes(5)
    assert tf.train.import_meta_graph("/dev/zero") is None
