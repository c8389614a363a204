"""Greedy decoding compared with NumPy: NaN, infinities, zero lengths, equal logits."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.sequences import ctc_greedy_decoder
from tfmini._src.ops.nn.ctc import ctc_decoder


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("threads", [1, 3])
def test_labels_match_numpy(build, use_build, monkeypatch, threads, dtype):
    monkeypatch.setattr(ctc_greedy_decoder, "thread_count", lambda: threads)
    monkeypatch.setattr(ctc_greedy_decoder, "_MIN_PARALLEL_LOGITS", 1)
    kernel, found = ctc_decoder.ctc_greedy_decoder_op.kernel, []
    for name in (build, "0"):
        use_build(name)
        results, rng = [], np.random.default_rng(0)
        for time, batch, classes in ((1, 1, 1), (7, 3, 4), (20, 5, 17), (400, 9, 60)):
            logits = rng.integers(-3, 4, (time, batch, classes)).astype(dtype)
            logits[rng.random(logits.shape) < 0.1] = np.inf if classes > 50 else np.nan
            lengths = rng.integers(-1, time + 1, batch).astype("i")
            for merges in (True, False):
                results += kernel(np, logits, lengths, merge_repeated=merges)
        found.append(results)
    for actual, expected in zip(*found):
        np.testing.assert_array_equal(actual, expected)
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
