"""Checks an installed tfmini: a program, and the compiled kernels unless it was built without a compiler.

python ci/commands/releases/wheel_works.py            expects kernels whose results equal NumPy's
python ci/commands/releases/wheel_works.py --plain    expects no kernels; NumPy computes
"""

import os
import sys

import numpy as np

import tfmini as tf
from tfmini._src.devices.host.native.library import build_name

RTOL = 1e-5


def main() -> None:
    print(f"tfmini at {os.path.dirname(tf.__file__)}, kernels: {build_name() or 'none'}")
    assert bool(build_name()) != ("--plain" in sys.argv[1:])
    logits = np.random.RandomState(0).randn(300, 100).astype("f")
    exact = np.exp(logits.astype("d"))
    with tf.Session() as session:
        got = session.run(tf.nn.softmax(logits))
        sums = session.run(tf.reduce_sum(tf.sigmoid(logits) * 2.0, 1))
    np.testing.assert_allclose(got, exact / exact.sum(1, keepdims=True), rtol=RTOL)
    np.testing.assert_allclose(sums, (2 * exact / (1 + exact)).sum(1), rtol=RTOL)


if __name__ == "__main__":
    main()
