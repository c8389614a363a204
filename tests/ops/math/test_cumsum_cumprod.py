"""tf.cumsum and tf.cumprod."""

import tfmini as tf
from tests.support.sessions import run


def test_exclusive_and_reverse():
    x = [1, 2, 3]
    assert run(tf.cumsum(x)).tolist() == [1, 3, 6]
    assert run(tf.cumsum(x, exclusive=True)).tolist() == [0, 1, 3]
    assert run(tf.cumsum(x, reverse=True)).tolist() == [6, 5, 3]
    assert run(tf.cumsum(x, exclusive=True, reverse=True)).tolist() == [5, 3, 0]
    assert run(tf.cumprod(x, exclusive=True)).tolist() == [1, 1, 2]
