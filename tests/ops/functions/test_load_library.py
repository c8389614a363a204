"""Op libraries: TensorFlow's errors for missing files; existing ones are rejected."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("name", ["load_op_library", "load_file_system_library"])
def test_missing_library(name, tmp_path):
    path = str(tmp_path / "op.so")
    with pytest.raises(tf.errors.NotFoundError) as caught:
        getattr(tf, name)(path)
    expected = f"{path}: cannot open shared object file: No such file or directory"
    assert caught.value.message == expected


@pytest.mark.parametrize(
    "name, way_out",
    [
        ("load_op_library", "tf.py_func"),
        ("load_library", "tf.py_func"),
        ("load_file_system_library", "Mount it"),
    ],
)
def test_existing_library_is_refused(name, way_out, tmp_path):
    path = tmp_path / "op.so"
    path.write_bytes(b"")
    with pytest.raises(NotImplementedError, match=way_out):
        getattr(tf, name)(str(path))
