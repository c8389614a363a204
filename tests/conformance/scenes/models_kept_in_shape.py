"""scikit-learn wrappers, adapted preprocessing layers, Keras policies and loss scales, its optimizers' slots."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import numpy as np

from tests.conformance.scenes import eager_mode, in_own_graph

_X = np.arange(16, dtype=np.float32).reshape(8, 2) / 10
_LABELS = np.array([3, 5, 3, 9, 5, 9, 3, 3])


@in_own_graph
def wrapped_for_scikit_learn(tf, stage):
    of = tf.keras.wrappers.scikit_learn
    half = tf.keras.initializers.Constant(0.5)

    def build(units=3, loss="sparse_categorical_crossentropy", metrics=("acc",)):
        activation = "softmax" if units > 1 else "sigmoid"
        dense = tf.keras.layers.Dense(
            units, activation, kernel_initializer=half, input_shape=(2,), name="d"
        )
        model = tf.keras.Sequential([dense])
        model.compile(tf.keras.optimizers.SGD(0.5), loss, metrics=list(metrics))
        return model

    class Builds:
        def __call__(self, units=1):
            return build(units, "mse")

    class Own(of.KerasRegressor):
        def __call__(self, units=2):
            return build(units, "mse", ())

    quiet = {"verbose": 0, "shuffle": False}

    def classified(y=_LABELS, **options):
        made = of.KerasClassifier(build, **{"epochs": 2, "batch_size": 4, **options})
        history = made.fit(_X, y, **quiet)
        found = [made.predict(_X[:3]), made.predict_proba(_X[:2], batch_size=1)]
        return (
            sorted(history.history),
            made.classes_,
            made.n_classes_,
            found,
            made.score(_X, y, verbose=0),
        )

    def regressed(kind, y, *given, **options):
        made = kind(*given, **options)
        made.fit(_X, y, **quiet)
        return made.predict(_X[:2]), made.score(_X, y, verbose=0), made.model.count_params()

    onehot = np.eye(3)[[0, 1, 0, 2, 1, 2, 0, 0]]
    stage.attempts(
        classified,
        lambda: classified(_LABELS[:, None]),
        lambda: classified(onehot, loss="categorical_crossentropy"),
        lambda: classified(loss="categorical_crossentropy"),
        lambda: classified(loss=tf.keras.losses.categorical_crossentropy),
        lambda: classified(_LABELS > 4, units=1, loss="binary_crossentropy"),
        lambda: classified(metrics=()),
        lambda: classified(np.zeros([8, 1, 1])),
        lambda: classified(none=3),
        lambda: classified(nb_epoch=3),
        lambda: regressed(of.KerasRegressor, _X[:, 0], Builds()),
        lambda: regressed(Own, _X),
        lambda: sorted(of.KerasClassifier(build, units=2, epochs=3).get_params().items())[1:],
        lambda: of.KerasClassifier(build, units=2).set_params(epochs=4, units=5).sk_params,
        lambda: of.KerasClassifier(build).set_params(none=4),
    )


@in_own_graph
def policies_and_scales(tf, stage):
    of = tf.keras.mixed_precision.experimental
    scale = tf.train.experimental

    def told(*given, **options):
        made = of.Policy(*given, **options)
        kept = made.loss_scale
        return (
            made.name,
            made.compute_dtype,
            made.variable_dtype,
            made.should_cast_variables,
            kept and (type(kept).__name__, kept.get_config()),
        )

    stage.attempts(
        *[
            lambda name=name: told(name)
            for name in (
                "float32",
                "float16",
                "bfloat16",
                "float64",
                "int32",
                "infer",
                "infer_float32_vars",
                "infer_with_float32_vars",
                "float16_with_float32_vars",
                "float32_with_float32_vars",
                "mixed_float16",
                "mixed_bfloat16",
                "none",
                "none_with_float32_vars",
                "",
            )
        ],
        lambda: told(tf.float16),
        lambda: told(3),
        lambda: told("float16", "dynamic"),
        lambda: told("float16", "none"),
        lambda: of.global_policy().name,
        lambda: of.set_policy("float16"),
        lambda: of.set_policy("none"),
        lambda: of.set_policy("infer_with_float32_vars"),
        lambda: of.global_policy().name,
        lambda: of.set_policy(of.Policy("infer")),
        lambda: of.set_policy(None),
    )
    make = of.LossScaleOptimizer
    stage.attempts(lambda: make("sgd", 2.0))
    with tf.Session() as session:
        for given in (16.0, "dynamic", scale.DynamicLossScale(8.0, 1, 4.0)):
            v = tf.Variable([1.0, 2.0], use_resource=True)
            made = make(tf.keras.optimizers.SGD(0.5, 0.9), given)
            loss = tf.placeholder_with_default(1.0, []) * tf.reduce_sum(v * v)
            updates = made.get_updates(loss, [v])
            scaled, gradient = (
                made.get_scaled_loss(loss),
                made.get_unscaled_gradients([v + 0.0, None]),
            )
            called = made.get_scaled_loss(lambda: loss)()
            session.run(tf.global_variables_initializer())
            stage.say(type(made.loss_scale).__name__, made.get_slot_names())
            for factor in (1.0, np.inf, 1.0):
                feed = {loss.op.inputs[0]: factor}
                stage.say(session.run([scaled, called, gradient[0]], feed), gradient[1])
                session.run(updates, feed)
                stage.say(session.run([v, made.iterations, made.lr, made.loss_scale()]))
            made.learning_rate = 0.25
            stage.say(tf.keras.backend.get_value(made.learning_rate))


@in_own_graph
def compiled_under_policies(tf, stage):
    of = tf.keras.mixed_precision.experimental
    sgd = tf.keras.optimizers.SGD
    for policy, optimizer in (
        (of.Policy("float16_with_float32_vars", loss_scale=4.0), "sgd"),
        (of.Policy("float16_with_float32_vars", loss_scale=4.0), tf.train.AdamOptimizer()),
        (
            of.Policy("float16_with_float32_vars", loss_scale=4.0),
            of.LossScaleOptimizer(sgd(0.1), 4.0),
        ),
        (
            of.Policy("float16_with_float32_vars", loss_scale=4.0),
            of.LossScaleOptimizer(sgd(0.1), 8.0),
        ),
        (of.Policy("mixed_float16"), sgd(0.1)),
        (of.Policy("mixed_float16", loss_scale=None), sgd(0.1)),
    ):
        with stage.failing():
            x = tf.keras.Input((2,), dtype="float16")
            model = tf.keras.Model(x, tf.keras.layers.Dense(1, dtype=policy, name="d")(x))
            model._dtype_policy = policy
            model.compile(optimizer, "mse")
            made = model.optimizer
            kept = getattr(made, "loss_scale", None)
            stage.say(type(made).__name__, kept and kept.get_config())
            stage.say(model.layers[1].dtype, model.layers[1].kernel.dtype, model.output.dtype)


def adapted_to_data(tf, stage):
    with tf.Graph().as_default(), eager_mode(tf):
        _adapted(tf, stage)


def _adapted(tf, stage):
    kind = _normalization(tf)
    data = tf.data.Dataset.from_tensor_slices(_X)

    def adapted(given, layer=None, **options):
        made = layer or kind(name="n")
        made.adapt(given, **options)
        return [tf.keras.backend.get_value(w).tolist() for w in made.weights], [
            w.name for w in made.weights
        ]

    kept = kind()
    stage.attempts(
        lambda: adapted(_X),
        lambda: adapted(data.batch(3)),
        lambda: adapted(data.batch(3).repeat(2)),
        lambda: adapted(data.batch(8).repeat()),
        lambda: adapted(_X.tolist()),
        lambda: adapted(_X[:4], kept),
        lambda: adapted(_X[4:], kept),
        lambda: adapted(_X[:4], kept, reset_state=False),
        lambda: adapted(_X.reshape(4, 2, 2), kind(axis=(1, 2))),
        lambda: adapted(_X.reshape(4, 2, 2), kind(axis=1)),
        lambda: kind(axis=0),
        lambda: sorted((k, v) for k, v in kind(axis=-1, name="n").get_config().items()),
        lambda: kind(dtype="float64").dtype,
        lambda: kept.compute_output_shape((3, 2)),
        lambda: kind()._set_state_variables({}),
        lambda: kept.set_weights([np.zeros(2), np.ones(2)]),
        lambda: [tf.keras.backend.get_value(w).tolist() for w in kept.weights],
        lambda: adapted(_X[:4], kept, reset_state=False),
        lambda: kept.set_weights([np.ones(2), np.ones(2)]),
        lambda: adapted(_X[:4], kept, reset_state=False),
        lambda: kept.set_weights([np.ones(2)]),
    )
    combiner = kept._combiner
    first, second = combiner.compute(_X[:2]), combiner.compute(_X[2:4])
    stage.attempts(
        lambda: tuple(np.asarray(part).tolist() for part in first),
        lambda: tuple(np.asarray(part).tolist() for part in combiner.merge([first, second])),
        lambda: tuple(np.asarray(part).tolist() for part in combiner.compute(_X[2:4], first)),
        lambda: sorted(combiner.extract(second)),
        lambda: combiner.serialize(first),
        lambda: combiner.deserialize(combiner.serialize(first)).count,
    )


def _normalization(tf):
    if tf.__name__ == "tensorflow":
        from tensorflow.python.keras.layers.preprocessing.normalization import (  # noqa: PLC0415
            Normalization,
        )
    else:
        from tfmini._src.models.keras.adapted_layers.normalization import (  # noqa: PLC0415
            Normalization,
        )
    return Normalization


@in_own_graph
def optimizers_by_hand(tf, stage):
    of = tf.keras.optimizers

    class Plain(of.Optimizer):
        def __init__(self, name="Plain", **options):
            super().__init__(name, **options)
            self._set_hyper("learning_rate", options.get("lr", 0.5))
            self._set_hyper("decay", self._initial_decay)
            self._set_hyper("called", lambda: 3.0)

        def _create_slots(self, var_list):
            for var in var_list:
                self.add_slot(var, "seen")
                self.add_slot(var, "first", tf.ones_like(var.initial_value) * 3.0)
                self.add_slot(var, "ones", "ones")

        def _resource_apply_dense(self, grad, var):
            seen = self.get_slot(var, "seen").assign_add(grad)
            rate = self._decayed_lr(tf.float32)
            return tf.group(seen, var.assign_sub(rate * grad))

        def _resource_apply_sparse(self, grad, var, indices):
            return self._resource_scatter_add(var, indices, -grad * self._get_hyper("called"))

        def get_config(self):
            return dict(
                super().get_config(),
                learning_rate=self._serialize_hyperparameter("learning_rate"),
                called=self._serialize_hyperparameter("called"),
            )

    stage.attempts(
        lambda: Plain(none=3),
        lambda: Plain(clipnorm=-1.0),
        lambda: Plain(decay=-0.5),
        lambda: Plain(lr=-0.5),
        lambda: sorted(Plain(name=None)._name.split("_")),
        lambda: sorted(Plain(clipnorm=1.0, clipvalue=2.0, name="a").get_config().items()),
        lambda: of.SGD.from_config({"lr": 0.5, "name": "b"}).get_config(),
    )
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    w = tf.Variable(
        [[1.0], [2.0]], name="w", use_resource=True, constraint=lambda x: tf.minimum(x, 1.5)
    )
    u = tf.Variable([3.0], name="u", use_resource=True)
    rows = tf.Variable([[1.0], [2.0], [3.0]], name="rows", use_resource=True)
    plain = Plain(decay=0.5, clipvalue=1.5)
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0], [4.0]]), tf.constant([2, 0, 2]), [3, 1])
    stage.attempts(
        lambda: plain.apply_gradients([]),
        lambda: plain.apply_gradients([(None, v)]),
        lambda: plain.apply_gradients([(slices, w)]),
        lambda: plain.get_gradients(tf.reduce_sum(v), [v, u]),
        lambda: plain.get_updates(tf.reduce_sum(v), [tf.Variable([1, 2], use_resource=True)]),
        lambda: plain.get_slot(v, "none"),
    )
    done = [
        plain.apply_gradients([(tf.constant([1.0, 4.0]), v), (None, u), (w + 0.0, w)], name="mine"),
        plain.apply_gradients([(slices, rows)]),
        *plain.get_updates(tf.reduce_sum(v * v), [v]),
        plain.minimize(lambda: tf.reduce_sum(v * 2.0), [v]),
        plain.minimize(
            lambda: tf.reduce_sum(u * 3.0), lambda: [u], grad_loss=tf.constant(2.0), name="m"
        ),
    ]
    stage.say(plain.get_slot_names(), [x.name for x in plain.weights], [op.name for op in done])
    with tf.Session() as session:
        tf.keras.backend.set_session(session)
        session.run(tf.global_variables_initializer())
        for op in done:
            session.run(op)
            stage.say(session.run([v, w, u, rows, plain.iterations, *plain.weights[1:4]]))
        weights = plain.get_weights()
        stage.say(weights)
        stage.attempts(
            lambda: plain.set_weights(weights[:2]),
            lambda: plain.set_weights([x[None] for x in weights]),
            lambda: plain.set_weights([x * 0 for x in weights]),
            lambda: (setattr(plain, "lr", 0.125), session.run(plain.lr))[1],
            lambda: (setattr(plain, "iterations", v), 0),
        )
    stage.graph()
