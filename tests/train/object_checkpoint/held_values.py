"""Attribute values for programs under both tfmini and TensorFlow."""


def module_of(tf, **attributes):
    """A module with these attributes."""
    module = tf.Module()
    for name, value in attributes.items():
        setattr(module, name, value)
    return module


def variable(tf, name="v", **kwargs):
    """A variable of two numbers."""
    return tf.Variable([1.0, 2.0], name=name, **kwargs)
