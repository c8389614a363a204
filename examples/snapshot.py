"""Keeps or reverts model changes without files: snapshots in memory.

    python examples/snapshot.py

Training by random walk: perturb every variable slightly, compute the loss, and revert if it increased. Reverting needs
no new ops: each variable has an Assign op, its initializer, which writes any value fed in place of its input.
"""

import numpy as np

import tfmini as tf


class Snapshot:
    """The values of all global variables, stored from a session and restored into it.

    Create it after the variables; later ones are not included.
    """

    def __init__(self):
        graph = tf.get_default_graph()
        self.variables = tf.global_variables()
        self.assigns = [graph.get_operation_by_name(v.op.name + "/Assign") for v in self.variables]
        self.inputs = [assign.inputs[1] for assign in self.assigns]
        self.values = None

    def take(self, session):
        """Stores the current variable values of `session`."""
        self.values = session.run(self.variables)

    def restore(self, session):
        """Restores the stored values."""
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
        print(f"loss {first:.4f} initially, {final:.4f} after {kept} accepted moves of 1500")
        print("weights", np.round(session.run(weights).ravel(), 1))
        print("offset", np.round(session.run(offset), 1))
        assert final == best  # rejected moves leave no trace


if __name__ == "__main__":
    main()
