import pytest

import tfmini as tf


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("strategy", ["get_strategy", "MirroredStrategy"])
def test_variable_argument_receives_gradient(strategy):
    """Another variable read by the function needs a gradient with `variables`; gradients are the rule's results."""
    distribution = getattr(tf.distribute, strategy)()
    with distribution.scope():
        inputs, captured = tf.Variable(3.0), tf.Variable(5.0)
        distribution.experimental_run_v2(lambda: _check_gradients(inputs, captured))


def _check_gradients(inputs, captured):

    @tf.custom_gradient
    def of_arguments(x, y):
        return x * y, lambda dy: (dy * 10.0, dy * 100.0)

    @tf.custom_gradient
    def of_another(x, y):
        return x * y * captured, lambda dy: (dy * 10.0, dy * 100.0)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = of_arguments(x, inputs)
    assert result.numpy() == 6.0
    assert [g.numpy() for g in tape.gradient(result, [x, inputs])] == [10.0, 100.0]
    with pytest.raises(TypeError, match="must accept a keyword argument 'variables'"):
        of_another(x, inputs)


@pytest.mark.parametrize("use_resource", [False, True])
def test_recompute_grad_with_variable(session, use_resource):
    """For a reference variable, TensorFlow raises SystemError."""
    x = tf.constant(2.0)
    with tf.variable_scope("scope", use_resource=use_resource):
        v = tf.get_variable("v", initializer=3.0)
    y = tf.recompute_grad(lambda x: x * x * v)(x)
    session.run(tf.global_variables_initializer())
    assert session.run([y, *tf.gradients(y, [x, v])]) == [12.0, 12.0, 4.0]
