"""Objects that are restored as they come to be held: what restores them stands where they are made."""

import os
import tempfile

import numpy as np


def _model(tf):
    class Block(tf.keras.layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight("scale", shape=[shape[-1]], initializer="ones")
            self.several = [
                self.add_weight("first", shape=[1]),
                self.add_weight("second", shape=[1]),
            ]
            super().build(shape)

        def call(self, x):
            return x * self.factor + self.several[0] - self.several[1]

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.block = Block(name="block")
            self._heads = [tf.keras.layers.Dense(2, name=f"head{n}") for n in range(2)]
            self.module = tf.Module()
            self.module.offset = tf.Variable([0.5, 1.5], name="offset")

        def call(self, x):
            for head in self._heads:
                x = head(self.block(x))
            return x + self.module.offset

    return Model()


def _template(tf):
    return tf.make_template(
        "scaled", lambda x: x * tf.get_variable("factor", initializer=[3.0, 2.0])
    )


def build(tf):
    folder = tempfile.mkdtemp()
    x = np.array([[1.0, 2.0]], "f4")
    with tf.Graph().as_default(), tf.Session() as session:
        model, template = _model(tf), _template(tf)
        v = tf.Variable([3.0, 4.0], name="v")
        optimizer = tf.train.MomentumOptimizer(0.5, 0.9)
        train = optimizer.minimize(tf.reduce_sum(v * template(tf.constant(x))))
        model(tf.constant(x))
        session.run(tf.global_variables_initializer())
        session.run([w.assign(tf.fill(w.shape, 0.25 * n)) for n, w in enumerate(model.weights)])
        session.run(model.module.offset.assign([7.0, 8.0]))
        session.run(train)
        known = {"model": model, "template": template, "v": v, "optimizer": optimizer}
        path = tf.train.Checkpoint(**known).save(os.path.join(folder, "whole"))

    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path)
    with tf.name_scope("first"):
        checkpoint.model = _model(tf)
    with tf.name_scope("second"):
        y = checkpoint.model(tf.constant(x))
    checkpoint.v = tf.Variable([0.0, 0.0], name="v")
    template = _template(tf)
    checkpoint.template = template
    with tf.name_scope("third"):
        z = template(tf.constant(x))
    checkpoint.optimizer = tf.train.MomentumOptimizer(0.5, 0.9)
    with tf.name_scope("fourth"):
        train = checkpoint.optimizer.minimize(tf.reduce_sum(checkpoint.v * z))
    status.assert_consumed()

    def restored(session):
        session.run(tf.global_variables_initializer())
        status.run_restore_ops(session)
        slot = checkpoint.optimizer.get_slot(checkpoint.v, "momentum")
        found = session.run([y, z, checkpoint.v, slot, checkpoint.model.module.offset])
        session.run(train)
        return found + [session.run(checkpoint.v)]

    return {
        "facts": {"names": [w.name for w in checkpoint.model.weights]},
        "steps": [("restored", restored)],
    }
