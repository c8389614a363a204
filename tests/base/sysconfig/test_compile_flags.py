"""tf.sysconfig: no headers or library to compile against."""

import os

import pytest

import tfmini as tf


def test_build_constants():
    assert (tf.sysconfig.CXX11_ABI_FLAG, tf.sysconfig.MONOLITHIC_BUILD) == (0, 0)
    assert os.path.samefile(tf.sysconfig.get_lib(), os.path.dirname(tf.__file__))


@pytest.mark.parametrize("name", ["get_include", "get_compile_flags", "get_link_flags"])
def test_compile_flags_are_refused_with_advice(name):
    with pytest.raises(NotImplementedError, match=r"tf\.py_func"):
        getattr(tf.sysconfig, name)()
