"""Keeps or takes back a change to a model without touching the disk: snapshots in memory.

    python examples/snapshot.py

Training here is a random walk: push every variable a little, look at the loss, and go back where it
got worse. Going back needs no new ops: each variable already has an Assign op, its initializer, and
feeding that op's value instead of computing it writes an arbitrary value.
"""

import numpy as np

import tfmini as tf


class Snapshot:
    """The values of all global variables, taken from a session and put back into it.

    Make it after the variables; a variable made later is not part of it.
    """

    def __init__(self):
        graph = tf.get_default_graph()
        self.variables = tf.global_variables()
        self.assigns = [graph.get_operation_by_name(v.op.name + "/Assign") for v in self.variables]
        self.inputs = [assign.inputs[1] for assign in self.assigns]
        self.values = None

    def take(self, session):
        """Remembers what the variables hold in `session` now."""
        self.values = session.run(self.variables)

    def restore(self, session):
        """Puts back what `take` remembered."""
        session.run(self.assigns, feed_dict=dict(zip(self.inputs, self.values)))


def main():
    random = np.random.RandomState(0)
    tf.set_random_seed(0)
    points = random.uniform(-1, 1, [100, 3]).astype(np.float32)
    wanted = points @ np.float32([[1.0], [-2.0], [0.5]]) + 3.0

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    weights = tf.Variable(tf.zeros([3, 1]), name="weights")
    offset = tf.Variable(tf.zeros([1]), name="offset")
    loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) + offset - wanted), name="loss")
    push = tf.group(
        *[v.assign_add(tf.random_normal(v.shape, stddev=0.1)) for v in (weights, offset)]
    )

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        snapshot = Snapshot()
        best = first = session.run(loss, {x: points})
        kept = 0
        for _ in range(1500):
            snapshot.take(session)
            session.run(push)
            now = session.run(loss, {x: points})
            if now < best:
                best, kept = now, kept + 1
            else:
                snapshot.restore(session)
        final = session.run(loss, {x: points})
        print(f"loss {first:.4f} at first, {final:.4f} after {kept} kept moves of 1500")
        print("weights", np.round(session.run(weights).ravel(), 1))
        print("offset", np.round(session.run(offset), 1))
        assert final == best  # every rejected move left no trace


if __name__ == "__main__":
    main()
