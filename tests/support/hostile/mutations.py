"""Mutations of inputs and attrs: shapes, indices and sizes; and a thread that mutates inputs concurrently."""

import threading

import numpy as np

# Values of attrs and arrays: limits of their types, and slightly beyond the usual range.
_NUMBERS = (0, -1, 1, 2, 7, 100, -(2**31), 2**31 - 1, 2**31, 2**62, -(2**63))


def _number(rng, dtype=np.int64):
    limits = np.iinfo(dtype)
    return min(max(int(rng.choice(_NUMBERS)), limits.min), limits.max)


def _shape_changed(rng, array):
    kind = rng.integers(4)
    if kind == 0 and array.ndim:
        axis = int(rng.integers(array.ndim))
        return np.take(array, np.arange(int(rng.integers(array.shape[axis] + 1))), axis)
    if kind == 1 and array.ndim:
        return np.repeat(array, 2, int(rng.integers(array.ndim)))
    if kind == 2 and array.ndim:
        return array[0] if len(array) else array.reshape(-1)
    return array[None]


def _numbers_changed(rng, array):
    array = array.copy()
    if array.dtype.kind in "iu":
        new = [_number(rng, array.dtype) for _ in range(3)]
    elif array.dtype.kind == "f":
        new = rng.choice([np.nan, np.inf, -np.inf, 1e30, -1e-30, 0], 3)
    else:
        return array
    for value in new[: int(rng.integers(1, 4))] if array.size else ():
        array.flat[int(rng.integers(array.size))] = value
    return array


def mutate(rng, inputs, attrs):
    """The inputs and attrs with one or two of them mutated."""
    inputs, attrs = dict(inputs), dict(attrs)
    for _ in range(int(rng.integers(1, 3))):
        counts = [n for n, v in attrs.items() if type(v) in (int, list)]
        if counts and rng.random() < 0.3:
            name = str(rng.choice(counts))
            value = attrs[name]
            if isinstance(value, list):
                value = list(value)
                value[int(rng.integers(len(value)))] = _number(rng)
                attrs[name] = value if rng.random() < 0.9 else value[1:]
            else:
                attrs[name] = _number(rng)
            continue
        name = str(rng.choice(list(inputs)))
        change = _shape_changed if rng.random() < 0.5 else _numbers_changed
        inputs[name] = change(rng, np.asarray(inputs[name]))
        if (
            name == "max_output_size"
        ):  # boxes without area are repeated as often as requested, as in TensorFlow
            inputs[name] = np.minimum(inputs[name], 1000)
    return inputs, attrs


class Meddler(threading.Thread):
    """Overwrites the arrays `targets` concurrently until stopped."""

    def __init__(self, seed):
        super().__init__(daemon=True)
        self._rng = np.random.default_rng(seed)
        self._ended = threading.Event()
        self.targets = []

    def run(self):
        while not self._ended.wait(1e-5):
            for array in list(self.targets):
                if array.size and array.dtype.kind in "iu":
                    at = int(self._rng.integers(array.size))
                    array.flat[at] = _number(self._rng, array.dtype)

    def stop(self):
        self._ended.set()
        self.join()
