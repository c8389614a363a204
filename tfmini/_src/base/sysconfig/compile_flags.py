"""Compiler flags for C++ ops: unsupported, as there is nothing to compile against."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from tfmini._src.base.package import PACKAGE_DIRECTORY


def get_lib() -> str:
    """Returns the directory of the package tfmini."""
    return str(Path(PACKAGE_DIRECTORY).resolve())


def get_include() -> str:
    """Raises NotImplementedError: there are no headers."""
    _raise_no_custom_ops_error("get_include")


def get_compile_flags() -> list[str]:
    """Raises NotImplementedError: there are no headers."""
    _raise_no_custom_ops_error("get_compile_flags")


def get_link_flags() -> list[str]:
    """Raises NotImplementedError: there is no library to link with."""
    _raise_no_custom_ops_error("get_link_flags")


def _raise_no_custom_ops_error(name: str) -> NoReturn:
    raise NotImplementedError(
        f"tf.sysconfig.{name}(): tfmini cannot load ops compiled from C++. Write the op as a Python function and "
        "call it with tf.py_func."
    )


CXX11_ABI_FLAG = MONOLITHIC_BUILD = 0
