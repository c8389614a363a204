"""tf.contrib.integrate with dtypes, sizes, times and methods that it refuses."""


def _still(y, t):
    return 0 * y


def no_such_method(tf):
    return tf.contrib.integrate.odeint(_still, 1.0, [0.0, 1.0], method="euler")


def options_without_a_method(tf):
    return tf.contrib.integrate.odeint(_still, 1.0, [0.0, 1.0], options={"safety": 0.5})


def states_of_integers(tf):
    return tf.contrib.integrate.odeint(_still, 1, [0.0, 1.0])


def times_of_integers(tf):
    return tf.contrib.integrate.odeint(_still, 1.0, tf.constant([0, 1]))


def times_that_go_back(tf):
    return tf.contrib.integrate.odeint(_still, 1.0, [1.0, 0.0])


def too_many_steps(tf):
    options = {"max_num_steps": 2, "first_step": 1e-3}
    return tf.contrib.integrate.odeint(_still, 1.0, [0.0, 1e9], method="dopri5", options=options)


def no_such_fixed_method(tf):
    return tf.contrib.integrate.odeint_fixed(_still, 1.0, [0.0, 1.0], method="euler")


def too_many_sizes(tf):
    return tf.contrib.integrate.odeint_fixed(_still, 1.0, [0.0, 1.0], dt=[0.5, 0.5])


def times_in_two_axes(tf):
    return tf.contrib.integrate.odeint_fixed(_still, 1.0, [[0.0, 1.0]])
