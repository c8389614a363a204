"""tf.layers.Layer: scopes, names, reuse, all kinds of weights, losses, updates, nested layers, metrics."""

import numpy as np


def build(tf):
    class Scale(tf.layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight(
                "factor",
                [shape[-1].value],
                initializer=tf.ones_initializer(),
                regularizer=tf.nn.l2_loss,
            )
            self.count = self.add_variable("count", [], initializer="zeros", trainable=False)
            super().build(shape)

        def call(self, x, training=False):
            self.add_update(tf.assign_add(self.count, 1.0))
            self.add_update(lambda: tf.assign_add(self.count, tf.reduce_sum(x)))
            self.add_loss(tf.reduce_sum(tf.abs(x)), inputs=x)
            self.add_metric(tf.reduce_max(x, axis=-1), aggregation="mean", name="largest")
            return x * self.factor * (2.0 if training else 1.0)

    class Twice(tf.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.inner = Scale(name="inner")

        def call(self, inputs, training=None, scope=None):
            a, b = inputs
            with tf.variable_scope(scope, "pair"):
                return {"a": self.inner(a), "b": self.inner(b + 1.0)}

    class Parts(tf.layers.Layer):
        def build(self, shape):
            cut = tf.fixed_size_partitioner(2)
            self.table = self.add_weight(
                "table", [4, 2], partitioner=cut, regularizer=tf.reduce_sum, initializer="ones"
            )
            self.number = self.add_weight("number", [], dtype=tf.int32)
            self.kept = self.add_weight("kept", [2], use_resource=True, initializer="one")
            self.bounded = self.add_weight("bounded", [2], tf.float64, constraint="non_neg")

        def call(self, x):
            return tf.matmul(x, tf.convert_to_tensor(self.table)) + self.kept

    def frozen(getter, *args, **kwargs):
        kwargs["trainable"] = False
        return getter(*args, **kwargs)

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    scale = Scale(name="scale")
    outputs = [scale(x), scale(x, training=True), Scale()(x), Scale()(np.ones([1, 3], np.float32))]
    with tf.variable_scope("outer", initializer=tf.constant_initializer(0.5)):
        again = Scale()
        outputs += [again(x), again(x), Scale()(x, scope="hi")]
        outputs += [Scale(_scope="hi", _reuse=True)(x)]
    with tf.variable_scope("kept", custom_getter=frozen):
        held = Scale(name="held")
        outputs += [held(x)]
    twice = Twice()
    pair = twice((x, x + 1.0), training=True)
    still = Scale(trainable=False, name="still")
    outputs += [still(x)]
    parts = Parts()
    outputs += [parts(tf.ones([1, 4]))]
    everything = [scale, again, held, twice, twice.inner, still, parts]
    with tf.name_scope("asked"):
        facts = {
            "names": [layer.name for layer in everything],
            "scopes": [layer.scope_name for layer in everything],
            "dtypes": [layer.dtype for layer in everything],
            "weights": [[v.name for v in layer.weights] for layer in everything],
            "trained": [[v.name for v in layer.trainable_weights] for layer in everything],
            "others": [[v.name for v in layer.non_trainable_variables] for layer in everything],
            "losses": [[t.name for t in layer.losses] for layer in everything],
            "updates": [[u.name for u in layer.updates] for layer in everything],
            "free losses": [t.name for t in scale.get_losses_for(None)],
            "losses of x": [t.name for t in scale.get_losses_for(x)],
            "free updates": [u.name for u in scale.get_updates_for(None)],
            "updates of x": [u.name for u in scale.get_updates_for(x)],
            "sizes": [layer.count_params() for layer in everything],
            "config": scale.get_config(),
        }
    metric = scale.metrics[0].result()
    feed = {x: [[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]}
    return {
        "facts": facts,
        "steps": [
            (
                "initialize",
                [
                    tf.global_variables_initializer(),
                    [v.initializer for v in scale.metrics[0].variables],
                ],
            ),
            ("outputs", [outputs[:2], outputs[4:], pair], feed),
            ("updates", tf.get_collection(tf.GraphKeys.UPDATE_OPS)[:1], feed),
            ("count", scale.count),
            ("metric", metric),
            ("losses", tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES), feed),
        ],
    }
