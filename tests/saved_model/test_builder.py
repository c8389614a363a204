"""A SavedModel without graphs in a deleted folder."""

import os
import shutil

import tfmini as tf


def test_deleted_directory_is_recreated(tmp_path):
    directory = str(tmp_path / "a" / "b")
    builder = tf.saved_model.Builder(directory)
    assert os.listdir(directory) == []
    shutil.rmtree(tmp_path / "a")
    assert builder.save() == os.path.join(directory, "saved_model.pb").encode()
    assert os.listdir(directory) == ["saved_model.pb"]
