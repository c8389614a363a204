"""Candidate samplers: TensorFlow 1.15.5's draws for these seeds, and accidental hits."""

import numpy as np

from tests.conformance.samples import Sample

CLASSES = np.array([[1], [3]])
OPTIONS = {"num_true": 1, "seed": 3, "seed2": 4}


def drawn(name, size, unique, sampled, true_counts, counts, **attrs):
    """A row: the candidates, the expected counts of both true classes and of the candidates."""
    counts = (np.array(true_counts, np.float32)[:, None], np.array(counts, np.float32))
    return Sample(
        name + "CandidateSampler",
        [CLASSES],
        {"num_sampled": len(sampled), "unique": unique, "range_max": size, **attrs, **OPTIONS},
        expect=(np.array(sampled), *counts),
        note="" if unique else "again",
    )


def learned(name):
    seen = [0.6666666865348816]
    return [
        drawn(name, 6, True, [3, 4, 5, 2], seen * 2, seen * 4),
        drawn(name, 8, False, [1, 4, 1, 2], [0.5] * 2, [0.5] * 4),
    ]


SAMPLES = [
    drawn("Uniform", 6, True, [1, 5, 0, 3], [0.8061932921409607] * 2, [0.8061932921409607] * 4),
    drawn("Uniform", 8, False, [1, 1, 7, 1], [0.5] * 2, [0.5] * 4),
    drawn(
        "LogUniform",
        6,
        True,
        [1, 2, 0, 4],
        [0.833471417427063, 0.45869240164756775],
        [0.833471417427063, 0.5913573503494263, 1.4248287677764893, 0.37477898597717285],
    ),
    drawn(
        "LogUniform",
        8,
        False,
        [1, 2, 1, 5],
        [0.7381404638290405, 0.40622803568840027],
        [0.7381404638290405, 0.5237190127372742, 0.7381404638290405, 0.2806279957294464],
    ),
    *learned("LearnedUnigram"),
    *learned("ThreadUnsafeUnigram"),
    drawn(
        "FixedUnigram",
        4,
        True,
        [3, 0, 1],
        [0.770281195640564, 0.9159343242645264],
        [0.9159343242645264, 0.48737791180610657, 0.770281195640564],
        unigrams=[1.0, 2.0, 0.5, 3.0],
    ),
    drawn(
        "FixedUnigram",
        4,
        False,
        [3, 3, 0],
        [0.9230769872665405, 1.384615421295166],
        [1.384615421295166, 1.384615421295166, 0.46153849363327026],
        unigrams=[1.0, 2.0, 0.5, 3.0],
    ),
    Sample(
        "AllCandidateSampler",
        [CLASSES],
        {"num_sampled": 3, "unique": True, **OPTIONS},
        expect=(np.arange(3), np.ones([2, 1], np.float32), np.ones(3, np.float32)),
    ),
    Sample(
        "ComputeAccidentalHits",
        [np.array([[1, 3], [9, 1], [4, 5]]), np.array([1, 5, 1, 0])],
        {"num_true": 2},
        expect=(
            np.array([0, 1, 2], np.int32),
            np.array([2, 2, 1]),
            np.full(3, np.finfo(np.float32).min, np.float32),
        ),
        static=False,
    ),
]
