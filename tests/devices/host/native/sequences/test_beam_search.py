"""Beam searches compared with Python's: ties, infinities, NaN, beams wider than the number of prefixes, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.sequences import beam_search
from tfmini._src.ops.nn.ctc import ctc_beam_search


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_best_prefixes_match_numpy(build, monkeypatch, threads):
    monkeypatch.setattr(beam_search, "thread_count", lambda: threads)
    monkeypatch.setattr(beam_search, "_MIN_PARALLEL_CANDIDATES", 1)
    for seed in range(60):
        random = np.random.RandomState(seed)
        time, batch, classes, width = (random.randint(1, most) for most in (10, 5, 6, 9))
        emitted = random.choice([np.float32, np.float64])(-random.rand(time, batch, classes) * 5)
        if seed % 3 == 0:
            emitted = np.round(emitted)
        if seed % 5 == 0:
            emitted[random.rand(*emitted.shape) < 0.2] = random.choice([-np.inf, np.nan])
        lengths = random.randint(0, time + 1, batch).astype("i4")
        result = beam_search.best_prefixes(emitted, lengths, width, 1)
        labels, counts, scores = ctc_beam_search._beam_search(emitted, lengths, width, 1)
        np.testing.assert_array_equal(result[1], counts)
        np.testing.assert_array_equal(result[2], scores)
        inside = np.arange(time) < counts[..., None]
        np.testing.assert_array_equal(result[0][inside], labels[inside])
    assert beam_search.best_prefixes(emitted[:1], lengths * 0 + 1, 9, 8) is None  # too few


def test_float16_falls_back_to_python(build):
    assert beam_search.best_prefixes(np.zeros((1, 1, 2), "e"), np.ones(1, "i4"), 2, 1) is None
