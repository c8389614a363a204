"""Reductions over GPUs. The rendezvous of all-reduce members is tested in tests/programs/compat/test_nccl_ops.py."""

import numpy as np

from tests.conformance.samples import Sample

X = np.arange(6, dtype="f").reshape(2, 3) - 2
Y = 2 - X / 4

SAMPLES = [
    Sample(
        "NcclAllReduce",
        [X],
        {"reduction": "sum", "num_devices": 1, "shared_name": "alone"},
        expect=X,
        gradient=(),
    ),
    Sample("NcclBroadcast", [X], {"shape": [2, 3]}, expect=X, gradient=()),
    Sample("NcclReduce", [[X, Y]], {"reduction": "max"}, np.maximum(X, Y), gradient=(), note="max"),
    Sample(
        "NcclReduce", [[X, Y, X]], {"reduction": "prod"}, expect=X * Y * X, gradient=(), note="prod"
    ),
]
