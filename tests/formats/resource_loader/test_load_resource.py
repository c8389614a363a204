"""tf.resource_loader: paths next to this file."""

import os

import pytest

import tfmini as tf

HERE = os.path.dirname(os.path.abspath(__file__))


def test_paths_are_relative_to_caller():
    assert os.path.abspath(tf.resource_loader.get_data_files_path()) == HERE
    path = tf.resource_loader.get_path_to_datafile("words/all.txt")
    assert os.path.abspath(path) == os.path.join(HERE, "words", "all.txt")
    assert tf.resource_loader.readahead_file_path("words.txt") == "words.txt"


def test_package_resources():
    package = os.path.dirname(tf.__file__)
    assert tf.resource_loader.get_root_dir_with_all_resources() == os.path.realpath(package)
    assert b"tf.gfile" in tf.resource_loader.load_resource("gfile/__init__.py")
    with pytest.raises(FileNotFoundError, match="No such file or directory: '.*/tfmini/nothing'"):
        tf.resource_loader.load_resource("nothing")
