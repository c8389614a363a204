"""TensorFlow's second control flow: conditions and loops whose parts are functions of the graph's library."""

from contextlib import contextmanager


@contextmanager
def used(tf):
    """A block in which TensorFlow builds conditions and loops that way; tfmini builds Switch and Merge as always."""
    if tf.__name__ != "tensorflow":
        yield
        return
    tf.compat.v1.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.compat.v1.disable_control_flow_v2()
