"""A gated recurrent unit and its gradient, compared with NumPy."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.sequences import gru_cell
from tfmini._src.ops.nn.rnn import gru_block_cell as cell


@pytest.mark.parametrize("threads", [1, 3])
def test_steps_match_numpy(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(gru_cell, "thread_count", lambda: threads)
    monkeypatch.setattr(gru_cell, "_MIN_PARALLEL_ELEMENTS", 1)
    for batch, inputs, units in ((1, 1, 1), (3, 5, 17), (70, 33, 40)):
        rng = np.random.default_rng(units)
        shapes = (
            (batch, inputs),
            (batch, units),
            (inputs + units, 2 * units),
            (inputs + units, units),
        )
        x, h, *weights = (rng.standard_normal(s).astype("f") for s in (*shapes, 2 * units, units))
        x[0, 0], grad = 90, np.broadcast_to(np.float32(0.5), h.shape)
        results = []
        for name in (build, "0"):
            use_build(name)
            step = cell.gru_block_cell.kernel(np, x[::-1], h, *weights)
            back = cell.gru_block_cell_grad.kernel(np, x[::-1], h, *weights, *step[:3], grad)
            results.append([*step, *back])
        for actual, expected in zip(*results):
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)
            assert actual.dtype == np.float32
