"""`FLAGS`: flag values that parse the command line on first access.

With it come the flags that an import of TensorFlow defines: the flags of absl's logging, `app.run` and tests, and
`FALLS_BACK`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from absl import app  # noqa: F401  # defines flags
from absl.flags import FLAGS as _ABSL_FLAGS, DEFINE_bool, FlagValues
from absl.testing import absltest  # noqa: F401  # defines flags

FALLS_BACK = "op_conversion_fallback_to_while_loop"
DEFINE_bool(
    FALLS_BACK,
    False,
    "If true, ops without a converter run in a loop, an iteration after the other.",
)


class LazyFlagValues:
    """absl's flag values, parsing `sys.argv` at the first access to a flag unless already parsed.

    Calling it with a list of arguments parses them and returns the non-flags, as in absl; it supports indexing, `len`
    and iteration like absl's.

    Raises:
      AttributeError: for an undefined flag name.
      absl.flags.UnrecognizedFlagError: if the command line contains an undefined flag.

    Example:

      tf.flags.DEFINE_integer("steps", 100, "How many steps to train.")
      print(tf.flags.FLAGS.steps)
    """

    def __init__(self, flags: FlagValues):
        self.__dict__["__wrapped"] = flags

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return FlagValues  # for isinstance checks in programs, as in TensorFlow

    def __getattr__(self, name: str) -> Any:
        flags = self.__dict__["__wrapped"]
        is_flag = not (name.startswith("_") or hasattr(FlagValues, name))
        if is_flag and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["__wrapped"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["__wrapped"], name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["__wrapped"])

    def __str__(self) -> str:
        return str(self.__dict__["__wrapped"])

    def __getitem__(self, name: str) -> Any:
        return self.__dict__["__wrapped"][name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self.__dict__["__wrapped"][name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__["__wrapped"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["__wrapped"])

    def __len__(self) -> int:
        return len(self.__dict__["__wrapped"])

    def __call__(self, argv: Any, known_only: bool = False) -> list[str]:
        return self.__dict__["__wrapped"](argv, known_only)


FLAGS = LazyFlagValues(_ABSL_FLAGS)
