"""`FLAGS`: flag values that parse the command line on first access."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from absl.flags import FLAGS as _ABSL_FLAGS, FlagValues


def define_tensorflow_flags() -> None:
    """Defines the flags of `tensorflow_flags`, unless they are already defined."""
    from tfmini._src.base.flags import tensorflow_flags  # noqa: F401, PLC0415


class LazyFlagValues:
    """absl's flag values, parsing `sys.argv` at the first access to a flag unless already parsed.

    Calling it with a list of arguments parses them and returns the non-flags, as in absl; it supports indexing, `len`
    and iteration like absl's.

    Raises:
      AttributeError: for an undefined flag name.
      absl.flags.UnrecognizedFlagError: if the command line contains an undefined flag.

    Example:

      tf.flags.DEFINE_integer("steps", 100, "Number of training steps.")
      print(tf.flags.FLAGS.steps)
    """

    def __init__(self, flags: FlagValues):
        self.__dict__["__wrapped"] = flags

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return FlagValues  # for isinstance checks in programs, as in TensorFlow

    def __getattr__(self, name: str) -> Any:
        flags = _wrapped_flags(self)
        is_flag = not (name.startswith("_") or hasattr(FlagValues, name))
        if is_flag and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_wrapped_flags(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_wrapped_flags(self), name)

    def __dir__(self) -> list[str]:
        return dir(_wrapped_flags(self))

    def __str__(self) -> str:
        return str(_wrapped_flags(self))

    def __getitem__(self, name: str) -> Any:
        return _wrapped_flags(self)[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        _wrapped_flags(self)[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in _wrapped_flags(self)

    def __iter__(self) -> Iterator[str]:
        return iter(_wrapped_flags(self))

    def __len__(self) -> int:
        return len(_wrapped_flags(self))

    def __call__(self, argv: Any, known_only: bool = False) -> list[str]:
        return _wrapped_flags(self)(argv, known_only)


def _wrapped_flags(flags: LazyFlagValues) -> FlagValues:
    define_tensorflow_flags()
    return flags.__dict__["__wrapped"]


FLAGS = LazyFlagValues(_ABSL_FLAGS)
