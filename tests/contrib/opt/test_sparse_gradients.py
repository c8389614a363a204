"""tf.contrib.opt optimizers explain their rejection of sparse gradients, where TensorFlow raises without a text."""

import pytest

import tfmini as tf

OF = tf.contrib.opt


@pytest.mark.parametrize(
    "optimizer, error, text",
    [
        (lambda: OF.GGTOptimizer(0.1), NotImplementedError, "Sparse gradient updates are not supp"),
        (
            lambda: OF.ShampooOptimizer(0, max_matrix_size=1, mat_gbar_decay=0.5),
            AssertionError,
            "mat_gbar_decay must be 1",
        ),
    ],
)
def test_sparse_gradients_are_refused(optimizer, error, text):
    table = tf.get_variable("table", [3, 2], use_resource=True)
    loss = tf.reduce_sum(tf.gather(table, [0, 2]))
    with pytest.raises(error, match=f"^{text}"):
        optimizer().minimize(loss)
