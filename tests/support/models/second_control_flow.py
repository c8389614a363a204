"""TensorFlow's control flow v2: conditions and loops whose branches and bodies are library functions."""

from contextlib import contextmanager


@contextmanager
def control_flow_v2(tf):
    """Context in which TensorFlow builds control flow v2; tfmini builds Switch and Merge as always."""
    if tf.__name__ != "tensorflow":
        yield
        return
    tf.compat.v1.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.compat.v1.disable_control_flow_v2()


def function(tf):
    """TensorFlow's `tf.function`, whose calls are PartitionedCalls; in tfmini, a plain call of the Python function."""
    if tf.__name__ != "tensorflow":
        return lambda f: f
    return tf.function(autograph=False)


def switch_case(tf, index, branches):
    """`tf.switch_case`, whose node is a Case; in tfmini, `tf.case`."""
    if tf.__name__ == "tensorflow":
        return tf.switch_case(index, branches)
    rest = [(tf.equal(index, i), branch) for i, branch in enumerate(branches[:-1])]
    return tf.case(rest, default=branches[-1])
