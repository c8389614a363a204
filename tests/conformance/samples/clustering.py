"""Nearest centers of points, against loops; initial centers, as drawn by TensorFlow 1.15.5 for these points."""

import numpy as np

from tests.conformance.samples import Sample

POINTS = np.random.RandomState(0).randn(12, 2).astype("f")
CENTERS = POINTS[3:7] + np.float32(0.25)


def nearest(count):
    def expect(points, centers, k):
        distances = ((points[:, None].astype("d") - centers) ** 2).sum(-1)
        order = np.argsort(distances, 1, kind="stable")[:, : min(count, len(centers))]
        return order, np.take_along_axis(distances, order, 1).astype("f")

    return expect


def drawn(indices, count, seed, retries):
    inputs = [POINTS, *(np.array(n, "i8") for n in (count, seed, retries))]
    name = "KmeansPlusPlusInitialization"
    return Sample(name, inputs, expect=POINTS[indices], static=False, note=f"seed{seed}of{retries}")


SAMPLES = [
    *(
        Sample(
            "NearestNeighbors",
            [POINTS, CENTERS, np.array(k, "i8")],
            expect=nearest(k),
            static=False,
            note=f"{k}",
        )
        for k in (1, 3, 20)
    ),
    drawn([9, 8, 0], 3, 0, 0),
    drawn([4, 11, 1], 3, 0, 2),
    drawn([3, 10, 5], 3, 1, 2),
    drawn([3, 10, 5, 2], 4, 5, -1),
    drawn([3, 10, 1, 7, 2, 5, 0, 11, 9, 4, 8, 6], 12, 7, 2),
    *(
        Sample(
            "KMC2ChainInitialization",
            [np.abs(POINTS[:, 0]), np.array(seed, "i8")],
            expect=np.array(index),
            note=f"seed{seed}",
        )
        for seed, index in ((0, 11), (3, 10))
    ),
]
