"""`random`: Python 2's sequences from the same generator, so that seeds reproduce their results."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, MutableSequence
from typing import Any


class Random(random.Random):
    """Python 2's generator, which derives integers from `random()`."""

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> Any:
        if stop is None:
            start, stop = 0, start
        start, stop, step = int(start), int(stop), int(step)
        count = (stop - start + step - (1 if step > 0 else -1)) // step
        if count <= 0:
            raise ValueError(f"empty range for randrange() ({start},{stop}, {stop - start})")
        return start + step * int(self.random() * count)

    def randint(self, a: Any, b: Any) -> Any:
        return self.randrange(a, b + 1)

    def choice(self, seq: Any) -> Any:
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x: MutableSequence[Any], random: Callable[[], float] | None = None) -> None:
        draw = self.random if random is None else random
        for i in reversed(range(1, len(x))):
            j = int(draw() * (i + 1))
            x[i], x[j] = x[j], x[i]

    def sample(self, population: Any, k: int) -> list[Any]:  # type: ignore[override]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("sample larger than population")
        table = 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        if n <= table or hasattr(population, "keys"):
            return self._sample_pool(list(population), n, k)
        values = population if hasattr(population, "__getitem__") else tuple(population)
        selected: dict[int, None] = {}
        while len(selected) < k:
            selected.setdefault(int(self.random() * n))
        return [values[j] for j in selected]

    def _sample_pool(self, pool: list[Any], n: int, k: int) -> list[Any]:
        sample = []
        for i in range(k):
            j = int(self.random() * (n - i))
            sample.append(pool[j])
            pool[j] = pool[n - i - 1]
        return sample

    def jumpahead(self, n: int) -> None:
        """Moves to another state, which differs from Python 2's."""
        self.seed(hash((self.getstate(), n)))


_own = Random()
_METHODS = (
    *("betavariate", "choice", "expovariate", "gammavariate", "gauss", "getrandbits", "getstate"),
    *("jumpahead", "lognormvariate", "normalvariate", "paretovariate", "randint", "random"),
    *("randrange", "sample", "seed", "setstate", "shuffle", "triangular", "uniform"),
    *("vonmisesvariate", "weibullvariate"),
)

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "random": (
        ("random",),
        {"Random": Random, **{name: getattr(_own, name) for name in _METHODS}},
    )
}
