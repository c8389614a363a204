"""tf.contrib.integrate: adaptive and fixed steps."""


def build(tf):
    steps = []
    integrate = tf.contrib.integrate
    t = tf.constant([0.0, 0.5, 2.0, 3.0], tf.float64)
    rate = tf.constant(0.7, name="rate")

    def decay(y, t):
        return -tf.cast(rate, y.dtype) * y * tf.cast(1 + t, y.dtype)

    def turn(y, t):
        return 1j * y

    y, info = integrate.odeint(
        decay, tf.constant([1.0, 2.0], tf.float64), t, rtol=1e-4, method="dopri5",
        options={"first_step": 0.1, "max_num_steps": 200}, full_output=True)  # fmt: skip
    steps.append(("adaptive", [y, info["num_func_evals"], info["integrate_points"]]))
    plane = integrate.odeint(
        turn, tf.constant(1.0 + 0j, tf.complex128), [0.0, 1.5, 3.0], name="turning"
    )
    steps.append(("turning", plane))
    for method in ("rk4", "midpoint"):
        start = tf.constant([1.0, -1.0], name="start_" + method)
        states = integrate.odeint_fixed(decay, start, t, dt=0.3, method=method)
        steps.append((method, [states, *tf.gradients(states[-1], [start, rate])]))
    steps.append(("intervals", integrate.odeint_fixed(decay, [1.0], [0.0, 0.1, 0.2], name="whole")))
    steps.append(("sizes", integrate.odeint_fixed(decay, [1.0], [0.0, 0.1, 0.2], dt=[0.05, 0.1])))
    return {"steps": steps}
