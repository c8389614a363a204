"""Random sequences of session state changes: queues, tables, stacks, variables; with a second session."""

import numpy as np


class _State:
    """A graph's resources, and steps that change them; `counts` are the queue sizes."""

    def __init__(self, tf, stage, seed):
        self.tf, self.stage, self.rng = tf, stage, np.random.RandomState(seed)
        shapes = [[], [2]]
        self.queues = [
            tf.FIFOQueue(3, [tf.int32, tf.float32], shapes),
            tf.PaddingFIFOQueue(3, [tf.int32, tf.float32], [[], [None]]),
            tf.PriorityQueue(3, [tf.float32], [[2]]),
        ]
        self.number = tf.placeholder(tf.int32, [])
        self.row = tf.constant([0.5, 1.5]) * tf.cast(self.number, tf.float32)
        keys = tf.int64, tf.string
        self.table = tf.contrib.lookup.MutableHashTable(*keys, "none")
        dense = tf.contrib.lookup.MutableDenseHashTable
        self.dense = dense(tf.int64, tf.int64, -7, -1, deleted_key=-2)
        self.variable = tf.Variable([1.0, 2.0], use_resource=bool(seed % 2))
        self.counts, self.closed = {}, set()

    def steps(self):
        """(name, fetches, changes of the counts) of all nonblocking steps."""
        tf, n, row = self.tf, self.number, self.row
        for at, q in enumerate(self.queues):
            count = self.counts.get(at, 0)
            given = [tf.cast(n, tf.int64), row] if at == 2 else [n, row]
            if count < 3 or at in self.closed:
                yield f"put{at}", lambda q=q, given=given: q.enqueue(given), (at, 1)
            if count or at in self.closed:
                yield f"take{at}", lambda q=q: q.dequeue(), (at, -1)
            if count > 1 or at in self.closed:
                yield f"two{at}", lambda q=q: q.dequeue_many(2), (at, -2)
            if at == 0 and (count > 1 or at in self.closed):
                yield f"some{at}", lambda q=q: q.dequeue_up_to(2), (at, -2)
            yield f"size{at}", lambda q=q: [q.size(), q.is_closed()], None
            yield f"close{at}", lambda q=q: q.close(), (at, "closed")
        wide = tf.cast(n, tf.int64)
        for name, table, values in (("table", self.table, "ab"), ("dense", self.dense, (5, 6))):
            values = tf.constant(list(values), table.value_dtype)
            yield name + "_put", lambda t=table, v=values: t.insert([wide, wide + 1], v), None
            yield name + "_get", lambda t=table: [t.lookup([wide, wide - 1]), t.size()], None
        yield "dense_gone", lambda: self.dense.remove([wide + 1]), None
        v = self.variable
        yield "init", lambda: v.initializer, None
        yield "add", lambda: tf.assign_add(v, row).op, None
        yield "read", lambda: v + 1.0, None

    def run(self, session):
        names = list(self.steps())
        name, made, change = names[self.rng.randint(len(names))]
        fed = int(self.rng.randint(-1, 4))
        self.stage.say(name, fed)
        size = len(self.stage.lines)
        self.stage.attempt(lambda: session.run(made(), {self.number: fed}))
        if change is None:
            return
        at, how = change
        if how == "closed":
            self.closed.add(at)
        elif not self.stage.lines[size].startswith("!!"):
            taken = min(-how, self.counts.get(at, 0)) if how < 0 else -how
            self.counts[at] = self.counts.get(at, 0) - taken


def drawn(tf, stage):
    for seed in range(6):
        with tf.Graph().as_default():
            state = _State(tf, stage, seed)
            for _ in range(2):
                state.counts.clear()
                state.closed.clear()
                with tf.Session() as session:
                    for _ in range(22):
                        state.run(session)
