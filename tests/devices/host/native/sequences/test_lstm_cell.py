"""A long short-term memory cell and its gradient, compared with NumPy."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.sequences import lstm_cell
from tfmini._src.ops.nn.rnn import lstm_block_cell as cell


@pytest.mark.parametrize("use_peephole", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
def test_steps_match_numpy(build, use_build, monkeypatch, threads, use_peephole):
    monkeypatch.setattr(lstm_cell, "thread_count", lambda: threads)
    monkeypatch.setattr(lstm_cell, "_MIN_PARALLEL_ELEMENTS", 1)
    for batch, inputs, units in ((1, 1, 1), (3, 5, 17), (70, 33, 40)):
        rng = np.random.default_rng(units)
        shapes = (batch, inputs), *[(batch, units)] * 2, (inputs + units, 4 * units), *[units] * 3
        arguments = [rng.standard_normal(s).astype("f") for s in (*shapes, 4 * units)]
        arguments[1][0, 0], grad = 90, np.broadcast_to(np.float32(0.5), (batch, units))
        for clip in (3.0, -1.0):
            results = []
            for name in (build, "0"):
                use_build(name)
                attrs = {"forget_bias": 0.5, "cell_clip": clip, "use_peephole": use_peephole}
                step = cell.lstm_block_cell.kernel(np, *arguments, **attrs)
                back = cell.lstm_block_cell_grad.kernel(
                    np, *arguments, *step[:6], grad, grad, use_peephole=use_peephole
                )
                results.append([*step, *back])
            for actual, expected in zip(*results):
                np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-4)
                assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
