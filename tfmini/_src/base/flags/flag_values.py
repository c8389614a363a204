"""`FLAGS`: values that read the command line when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from absl.flags import FLAGS as _ABSL_FLAGS
from absl.flags import FlagValues


class LazyFlagValues:
    """absl's flag values, with `sys.argv` parsed at the first access to a flag, unless it was parsed before.

    It is called like absl's, with a list of arguments, of which it returns what are no flags; it is indexed, counted
    and walked like absl's.

    Raises:
      AttributeError: for a name that is no flag.
      absl.flags.UnrecognizedFlagError: where the command line holds a flag that is not defined.

    Example:
      tf.flags.DEFINE_integer("steps", 100, "How many steps to train.")
      print(tf.flags.FLAGS.steps)
    """

    def __init__(self, flags: FlagValues):
        self.__dict__["_flags"] = flags

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return FlagValues  # what programs ask with isinstance, as in TensorFlow

    def __getattr__(self, name: str) -> Any:
        flags = self.__dict__["_flags"]
        is_flag = not (name.startswith("_") or hasattr(FlagValues, name))
        if is_flag and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_flags"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_flags"], name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_flags"])

    def __str__(self) -> str:
        return str(self.__dict__["_flags"])

    def __getitem__(self, name: str) -> Any:
        return self.__dict__["_flags"][name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self.__dict__["_flags"][name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__["_flags"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["_flags"])

    def __len__(self) -> int:
        return len(self.__dict__["_flags"])

    def __call__(self, argv: Any, known_only: bool = False) -> list[str]:
        return self.__dict__["_flags"](argv, known_only)


FLAGS = LazyFlagValues(_ABSL_FLAGS)
