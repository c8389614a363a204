import tfmini as tf
from tfmini.compat.python.ops import functional_ops, tensor_array_ops


def test_modules_of_loops_have_what_the_namespace_has():
    assert tensor_array_ops.TensorArray is tf.TensorArray
    for name in functional_ops.__all__:
        assert getattr(functional_ops, name) is getattr(tf, name)
