"""tf.fake_quant_with_min_max_args and _vars."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.linspace(-1.4, 2.3, 50).astype("f")


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize("num_bits", [2, 5, 8])
def test_zero_is_representable(narrow, num_bits):
    created, zero = run(
        [
            tf.fake_quant_with_min_max_args(X, -1.1, 2.0, num_bits, narrow),
            tf.fake_quant_with_min_max_args([0.0], -1.1, 2.0, num_bits, narrow),
        ]
    )
    assert zero == [0]
    assert len(np.unique(created)) <= 2**num_bits - narrow
