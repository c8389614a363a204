"""A group of elementwise ops evaluated block by block: each block's intermediate values stay in the cache."""

from __future__ import annotations

import numpy as np

from tfmini._src.compiler.program.program import BlockStep
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.threads import run_parts

# Minimum number of elements; smaller arrays are just as fast op by op.
_MIN_ELEMENTS = 1 << 16
# Bytes per block, so that several blocks fit in a core's cache. With smaller blocks, handing over the GIL at every
# ufunc would cost threads more than blocking saves.
_BLOCK = 1 << 19


class Blocks:
    """Evaluates steps block by block: `blocks(*inputs)` returns the result, or None for unsupported inputs.

    Inputs must have one shape or be scalars; small, broadcast and most strided inputs are not supported.

    Args:
      steps: steps on ("input", i), ("buffer", i) and, last, ("result", 0).
      buffers: number of buffers.
      dtype: NumPy dtype of all arrays.
      full_sized: indices of the inputs with the result's shape.
    """

    def __init__(
        self,
        steps: list[BlockStep],
        buffers: int,
        dtype: type,
        full_sized: list[int],
    ):
        self._steps = steps
        self._buffers = buffers
        self._dtype = dtype
        self._full_inputs = full_sized

    def __call__(self, *inputs: Array) -> Array | None:
        first = inputs[self._full_inputs[0]]
        size = first.size
        if size < _MIN_ELEMENTS:
            return None
        if any(inputs[i].shape != first.shape for i in self._full_inputs):
            return None
        if not all(inputs[i].flags.c_contiguous for i in self._full_inputs):
            return None
        result: np.ndarray = np.empty(first.shape, self._dtype)
        flat: list[Array] = [*inputs]
        for i in self._full_inputs:
            flat[i] = inputs[i].reshape(-1)
        out = result.reshape(-1)
        length = _BLOCK // result.itemsize
        spare: list[list[np.ndarray]] = []

        def work(block: int) -> None:
            buffers = spare.pop() if spare else self._new_buffers(length)
            self._run_block(flat, out, slice(block * length, (block + 1) * length), buffers)
            spare.append(buffers)

        run_parts(work, -(-size // length))
        return result

    def _new_buffers(self, length: int) -> list[np.ndarray]:
        return [np.empty(length, self._dtype) for _ in range(self._buffers)]

    def _run_block(
        self, flat: list[Array], out: np.ndarray, block: slice, buffers: list[np.ndarray]
    ) -> None:
        result = out[block]
        arrays: dict[tuple[str, int], Array] = {("input", i): a for i, a in enumerate(flat)}
        arrays.update((("input", i), flat[i][block]) for i in self._full_inputs)
        arrays.update((("buffer", i), b[: result.size]) for i, b in enumerate(buffers))
        arrays["result", 0] = result
        for step in self._steps:
            step.ufunc(*(arrays[p] for p in step.operands), arrays[step.target])
