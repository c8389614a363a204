"""tf.contrib.framework on graphs: messages are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf

framework = tf.contrib.framework


def test_scalar_int_assertion():
    assert framework.assert_scalar_int(tf.constant(3)).dtype == tf.int32
    with pytest.raises(
        ValueError, match="^Expected integer type for x:0, received type: <dtype: 'f"
    ):
        framework.assert_scalar_int(tf.placeholder(tf.float32, [], name="x"))
    with pytest.raises(ValueError, match=r"saw shape: \(2,\)\.$"):
        framework.assert_scalar_int(tf.constant([1, 2]))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_global_step_of_other_graph():
    other = tf.Graph()
    assert framework.get_global_step(other) is None
    created = framework.create_global_step(other)
    assert created.graph is other
    assert framework.get_or_create_global_step(other) is framework.get_global_step(other) is created
    assert framework.assert_or_get_global_step(other) is created
    assert (
        framework.assert_or_get_global_step(
            other, step := other.get_tensor_by_name("global_step:0")
        )
        is step
    )
    assert framework.get_or_create_global_step(third := tf.Graph()).graph is third
