"""Random sequences of variable updates and reads: each read sees the current value."""

import numpy as np


class _Updates:
    """Variables of both kinds, with a sequence of updates."""

    def __init__(self, tf, seed):
        self.tf, self.rng = tf, np.random.RandomState(seed)
        self.vectors = [
            tf.Variable(self.numbers(3), use_resource=resource) for resource in (True, False, True)
        ]
        self.tables = [
            tf.Variable(self.numbers(4, 3), use_resource=resource) for resource in (True, False)
        ]
        self.fed = tf.placeholder(tf.float32, [3])
        self.reads, self.last = [], None

    def numbers(self, *shape):
        return np.round(self.rng.uniform(-1, 1, shape), 3).astype("f")

    def one_of(self, values):
        return values[self.rng.randint(len(values))]

    def value(self):
        """A vector: a constant, a feed, or an earlier read."""
        tf = self.tf
        known = [tf.constant(self.numbers(3)), self.fed, *self.reads[-4:]]
        x = self.one_of(known)
        return self.one_of([lambda: x, lambda: x * 0.5, lambda: tf.tanh(x) + 0.25])()

    def read(self):
        v = self.one_of(self.vectors)
        made = v.read_value() * 1.0 if self.rng.randint(2) else v + self.value()
        self.reads.append(made)
        return made

    def rows(self):
        table, ids = self.one_of(self.tables), self.rng.randint(4, size=2)
        made = self.tf.reduce_sum(self.tf.gather(table, ids), 0)
        self.reads.append(made)
        return made

    def assigned(self):
        v, x = self.one_of(self.vectors), self.value()
        return self.one_of([v.assign, v.assign_add, v.assign_sub])(x).op

    def scattered(self):
        tf = self.tf
        f = self.one_of([tf.scatter_update, tf.scatter_add, tf.scatter_sub, tf.scatter_mul])
        ids = self.rng.permutation(4)[:2]
        return f(self.one_of(self.tables), ids, tf.stack([self.value(), self.value()])).op

    def parts(self):
        v, x = self.one_of(self.vectors), self.value()
        return v[1:].assign(x[:2]).op

    def chosen(self):
        tf, v, x = self.tf, self.one_of(self.vectors), self.value()

        def then(function):
            with tf.control_dependencies([function(x).op]):
                return tf.constant(1)

        one, other = v.assign_add, v.assign_sub
        return tf.cond(tf.reduce_sum(x) > 0, lambda: then(one), lambda: then(other)).op

    def repeated(self):
        tf, v, x = self.tf, self.one_of(self.vectors), self.value()

        def body(i, total):
            with tf.control_dependencies([v.assign_add(x * 0.25).op]):
                return i + 1, total + v.read_value()

        made = tf.while_loop(
            lambda i, _: i < 2, body, [0, tf.zeros([3])], parallel_iterations=1, back_prop=False
        )[1]
        self.reads.append(made)
        return made

    def sloped(self):
        tf, v = self.tf, self.one_of(self.vectors)
        made = tf.gradients(tf.reduce_sum(tf.square(v + self.value())), v)[0] * 1.0
        self.reads.append(made)
        return made

    def shared(self):
        """Values that may share a variable's memory, which later updates change."""
        tf, v = self.tf, self.vectors[1]
        kinds = [tf.identity, lambda t: tf.reshape(t, [3]), lambda t: tf.expand_dims(t, 0)[0]]
        made = self.one_of(kinds)(v)
        self.reads.append(made)
        return made


_KINDS = ["read", "read", "rows", "assigned", "assigned", "scattered", "parts", "chosen"]
_KINDS += ["repeated", "sloped"]


def _programs(tf, stage, seeds, steps, kinds=_KINDS):
    for seed in seeds:
        with tf.Graph().as_default(), tf.Session() as session:
            drawn = _Updates(tf, seed)
            for _ in range(steps):
                kind = drawn.one_of(kinds)
                with tf.control_dependencies([] if drawn.last is None else [drawn.last]):
                    drawn.last = getattr(drawn, kind)()
            session.run(tf.global_variables_initializer())
            stage.say(seed)
            with stage.failing():
                for fed in ([0.5, -0.25, 1.0], [-1.0, 0.0, 0.125]):
                    values = session.run([*drawn.reads, drawn.last], {drawn.fed: fed})
                    stage.say(*values[: len(drawn.reads)])
                    stage.say(*session.run([*drawn.vectors, *drawn.tables]))
                values = session.run(drawn.reads[:1], {drawn.fed: [0, 0, 0]})
                stage.say(*values)
                stage.say(*session.run([*drawn.vectors, *drawn.tables]))


def long(tf, stage):
    _programs(tf, stage, range(220, 226), 24)
