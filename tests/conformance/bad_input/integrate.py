"""tf.contrib.integrate with dtypes, sizes, times and methods that it refuses."""


def _still(y, t):
    return 0 * y


def too_many_steps(tf):
    options = {"max_num_steps": 2, "first_step": 1e-3}
    return tf.contrib.integrate.odeint(_still, 1.0, [0.0, 1e9], method="dopri5", options=options)


CASES = {
    "no_such_method": lambda tf: tf.contrib.integrate.odeint(
        _still, 1.0, [0.0, 1.0], method="euler"
    ),
    "options_without_a_method": lambda tf: tf.contrib.integrate.odeint(
        _still, 1.0, [0.0, 1.0], options={"safety": 0.5}
    ),
    "states_of_integers": lambda tf: tf.contrib.integrate.odeint(_still, 1, [0.0, 1.0]),
    "times_of_integers": lambda tf: tf.contrib.integrate.odeint(_still, 1.0, tf.constant([0, 1])),
    "times_that_go_back": lambda tf: tf.contrib.integrate.odeint(_still, 1.0, [1.0, 0.0]),
    "no_such_fixed_method": lambda tf: tf.contrib.integrate.odeint_fixed(
        _still, 1.0, [0.0, 1.0], method="euler"
    ),
    "too_many_sizes": lambda tf: tf.contrib.integrate.odeint_fixed(
        _still, 1.0, [0.0, 1.0], dt=[0.5, 0.5]
    ),
    "times_in_two_axes": lambda tf: tf.contrib.integrate.odeint_fixed(_still, 1.0, [[0.0, 1.0]]),
}
