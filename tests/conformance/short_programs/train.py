"""tf.train: queues, hooks, optimizers, checkpoints."""

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    T = tf.train

    def twice():
        v = tf.Variable(1.0)
        e = T.ExponentialMovingAverage(0.5)
        e.apply([v])
        e.apply([v])

    def steps():
        tf.Variable(1, name="a", collections=["global_step"])
        tf.Variable(1, name="b", collections=["global_step"])
        T.get_global_step()

    def strange():
        tf.Variable(1.0, name="a", collections=["global_step"])
        T.get_global_step()

    def again():
        T.create_global_step()
        T.create_global_step()

    def same():
        v = tf.Variable(1.0)
        T.Saver([v, v])

    return rows(
        table_of(__file__),
        tf=tf, T=T, _averages=_averages, _placed=_placed, _steps=_steps, _timers=_timers, again=again, same=same,
        steps=steps, strange=strange, twice=twice,
    )  # fmt: skip


def _steps(tf, make):
    """A variable after three steps, dense and sparse."""
    x = tf.Variable([1.0, -2.0, 0.5])
    y = tf.Variable([[1.0, 2.0], [3.0, -4.0]])
    loss = tf.reduce_sum(x * x) + tf.reduce_sum(tf.gather(y, [1, 1]) ** 2)
    step = make().minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return session.run([x, y])


def _averages(tf, num_updates=None, zero_debias=False):
    x = tf.Variable(1.0)
    total = tf.constant(2.0) * x
    kept = tf.train.ExponentialMovingAverage(0.9, num_updates, zero_debias)
    update = kept.apply([x, total])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in (3.0, 5.0):
            session.run(x.assign(value))
            session.run(update)
        return session.run([kept.average(x), kept.average(total)])


def _timers(timer):
    found = []
    for step in (1, 2, 4, 5, 7):
        found.append(timer.should_trigger_for_step(step))
        if found[-1]:
            found.append(timer.update_last_triggered_step(step)[1])
    return [*found, timer.last_triggered_step()]


def _placed(tf, setter):
    with tf.device(setter):
        made = [tf.Variable(tf.zeros([n + 1]), name=f"v{n}") for n in range(3)]
        made.append(tf.Variable(1.0, name="r", use_resource=True))
        made.append(tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1).resource_handle)
        made.append(tf.constant(1.0))
        with tf.device("/job:other/cpu:0"):
            made.append(tf.identity(made[0]))
    return [each.device for each in made]
