"""Random graphs, placed by both implementations.

`python -m tests.conformance.placements._random SEED SEED FILE` records TensorFlow's placements for a range of seeds.
"""

import json
import random
import sys

DEVICES = {"CPU": 3}
ASKED = [
    *("", "", "", "/cpu:0", "/cpu:1", "/cpu:2", "/device:CPU:*", "/job:localhost"),
    *("/job:localhost/cpu:1", "/task:0", "/replica:0/task:0/cpu:2"),
]
ABSENT = ["/cpu:5", "/gpu:0", "/gpu:1", "/device:FPGA:0", "/device:GPU:*"]


def case(seed):
    """A case as in the neighbouring modules; placed softly if `soft` is set."""
    dice = random.Random(seed)
    softly = dice.random() < 0.4
    count = dice.randint(5, 40)
    changed = dice.choice([0.02, 0.06, 0.15])

    def build(tf):
        graph = Graph(tf, dice)
        for _ in range(count):
            if dice.random() < 0.06:
                yield
            with tf.device(asked(dice, softly)):
                graph.add()
            if dice.random() < changed:
                made = tf.get_default_graph().get_operations()[-3:]
                dice.choice(made)._set_device(asked(dice, softly))

    build.soft = softly
    return build


def asked(dice, softly):
    absent = ABSENT if softly or dice.random() < 0.01 else []
    return dice.choice(ASKED + absent)


class Graph:
    """A graph that grows by one or a few nodes of a random kind."""

    def __init__(self, tf, dice):
        self.tf, self.dice = tf, dice
        self.tensors = [tf.placeholder(tf.float32, [2])]
        self.references = []
        self.handles = []

    def any(self):
        return self.dice.choice(self.tensors)

    def add(self):
        kinds = [
            *(self.constant, self.placeholder, self.unary, self.unary, self.binary, self.binary),
            *(self.shape, self.variable, self.resource_variable, self.random, self.beside),
            *(self.beside, self.after, self.condition),
        ]
        if self.references:
            kinds += [self.update, self.update, self.update_of_two]
        if self.handles:
            kinds.append(self.resource_update)
        made = self.dice.choice(kinds)()
        if made is not None:
            self.tensors.append(made)

    def constant(self):
        return self.tf.constant([1.0, 2.0])

    def placeholder(self):
        return self.tf.placeholder(self.tf.float32, [2])

    def unary(self):
        return self.dice.choice([self.tf.square, self.tf.negative])(self.any())

    def binary(self):
        return self.tf.add(self.any(), self.any())

    def shape(self):
        raw = self.tf.raw_ops
        looked = self.dice.choice([raw.Shape, raw.Size, raw.Rank])(input=self.any())
        return self.tf.cast(looked, self.tf.float32) + [0.0, 0.0]

    def variable(self):
        reference = self.tf.Variable([1.0, 2.0])._ref()
        self.references.append(reference)
        return self.tf.identity(reference)

    def resource_variable(self):
        name = f"v{len(self.handles)}"
        variable = self.tf.get_variable(name, [2], use_resource=True)
        self.handles.append(variable.handle)
        return variable.read_value()

    def random(self):
        return self.tf.random_uniform([2])

    def beside(self):
        with self.tf.colocate_with(self.dice.choice(self.tensors + self.references).op):
            return self.dice.choice([self.constant, self.unary])()

    def after(self):
        with self.tf.control_dependencies([self.any().op]):
            return self.dice.choice([self.constant, self.unary])()

    def condition(self):
        return self.tf.cond(
            self.tf.reduce_sum(self.any()) > 0.0, lambda: self.any() * 2.0, self.constant
        )

    def update(self):
        reference = self.dice.choice(self.references)
        made = self.tf.raw_ops.AssignAdd(ref=reference, value=self.any())
        self.references.append(made)
        return self.tf.identity(made)

    def update_of_two(self):
        first, second = self.dice.choice(self.references), self.dice.choice(self.references)
        made = self.tf.raw_ops.ApplyMomentum(
            var=first, accum=second, lr=0.1, grad=self.any(), momentum=0.9
        )
        self.references.append(made)

    def resource_update(self):
        handle = self.dice.choice(self.handles)
        self.tf.raw_ops.AssignAddVariableOp(resource=handle, value=self.any())


def main():
    import tensorflow as tf  # noqa: PLC0415  (tfmini's tests import this file too)

    from tests.conformance import placements  # noqa: PLC0415

    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
    rows = []
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        made = case(seed)
        config = tf.ConfigProto(log_device_placement=True, allow_soft_placement=made.soft)
        config.device_count.update(DEVICES)
        rows.append(placements.placed(tf, made, placements.Run(tf, "", config))[0])
    with open(sys.argv[3], "w") as out:
        json.dump(rows, out)


if __name__ == "__main__":
    main()
