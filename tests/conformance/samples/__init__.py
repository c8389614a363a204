"""One row per op: inputs, attrs, and the result expected by NumPy or TensorFlow 1.15.5.

`tests/conformance/test_every_op.py` runs every row of every module of this folder: value, static against actual
shape and dtype, and gradients numerically. An op that is declared without a row fails there.

    SAMPLES = [
        Sample("Softsign", [x], expect=lambda x: x / (1 + np.abs(x)), order=1),
        Sample("Cast", [x], {"DstT": tf.int32}, expect=x.astype("i4")),
    ]
"""

import functools
import importlib
import itertools
import pkgutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support import cases


@dataclass(frozen=True, eq=False)
class Sample:
    """One use of an op.

    op: the op's type.
    inputs: a numpy array (its dtype is the tensor's) for each input of the signature, a list of
      arrays for a list input; strings are arrays of bytes with dtype object.
    attrs: the attrs that the op is called with, inferred ones left out.
    expect: the outputs: an array, a tuple of them for several outputs, or a function of the inputs
      that gives one, written without tfmini.
    gradient: numbers of the float inputs whose gradients are checked numerically; by default all, if
      TensorFlow has a gradient. () where differences say nothing: at poles and ties, where a result is
      as large as floats go, and where TensorFlow's own gradient fails or means something else.
    order: 2 if the gradient of the gradient is checked too, 1 if TensorFlow has none or a wrong one.
    through: numbers of the outputs through which gradients are checked; by default all floats.
    step: how far inputs are moved, for a linear op that knows single precision only.
    tolerance: relative, of the largest expected element; None: of float32 1e-5, float64 1e-9.
    static: whether the op's static shapes must be whole when those of the inputs are.
    build: for ops that need more than their inputs (variables, queues): `build(tf)` adds nodes and
      returns a list of fetches, or functions of the session, in order; the last result is compared.
    note: what is special, part of the test's name.
    """

    op: str
    inputs: Sequence[Any] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    expect: Any = None
    gradient: Sequence[int] | None = None
    order: int = 2
    through: Sequence[int] | None = None
    step: float | None = None
    tolerance: float | None = None
    static: bool = True
    build: Callable | None = None
    note: str = ""

    def __str__(self) -> str:
        return f"{self.op}-{self.note}" if self.note else self.op


FILES = sorted(module.name for module in pkgutil.iter_modules(__path__))


class Rows(Sequence):
    """The rows of all modules of this folder that a condition chooses; the modules are loaded, and the rows' arrays are
    made, when somebody looks at them.
    """

    def __init__(self, condition: Callable[[Sample], object] = lambda sample: True):
        self.has = condition

    def of(self, file: str) -> list[Sample]:
        """The rows of a module."""
        rows = importlib.import_module(f"{__name__}.{file}").SAMPLES
        return [sample for sample in rows if self.has(sample)]

    def named(self, *files: str) -> dict[str, Sample]:
        """The rows of modules by name; the second of several equal names is NAME-2."""
        found: dict[str, Sample] = {}
        count: Counter[str] = Counter()
        for sample in itertools.chain.from_iterable(map(self.of, files)):
            count[str(sample)] += 1
            number = count[str(sample)]
            found[str(sample) if number == 1 else f"{sample}-{number}"] = sample
        return found

    def groups(self) -> list[cases.Group]:
        """A group per module: `check` receives a row."""
        return [cases.Group(file, functools.partial(self.named, file)) for file in FILES]

    def group(self) -> cases.Group:
        """A single group, for few rows."""
        return cases.Group("samples", functools.partial(self.named, *FILES))

    @functools.cached_property
    def _all(self) -> list[Sample]:
        return [sample for file in FILES for sample in self.of(file)]

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, place: Any) -> Any:
        return self._all[place]


SAMPLES = Rows()
