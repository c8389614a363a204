"""Programs under each strategy: variables of all kinds, optimizers, averages, updates with keywords, settings."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import functools

import numpy as np

from tests.conformance.scenes import eager_mode
from tests.conformance.scenes.distribute_strategies import _session


def _without_first_warnings(stage):
    """Drops warnings that are issued once per process."""
    stage.addFilter(lambda record: "Partitioned variables are" not in record.getMessage())


def _strategies(tf):
    of = tf.distribute
    return {
        "mirrored": lambda: of.MirroredStrategy(["/cpu:0", "/cpu:1"]),
        "mirrored_alone": lambda: of.MirroredStrategy(["/cpu:0"]),
        "one_device": lambda: of.OneDeviceStrategy("/cpu:0"),
        "central": lambda: of.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0"),
        "servers": of.experimental.ParameterServerStrategy,
        "default": of.get_strategy,
    }


def _each(tf, stage, case, without=(), graph=True):
    for name, make in _strategies(tf).items():
        if name in without:
            continue
        with tf.Graph().as_default(), _session(tf) as session, stage.failing():
            tf.set_random_seed(1)
            stage.say(name)
            case(tf, stage, make(), session)
            if graph:
                stage.brief_graph(names=False)
            for key in sorted(map(str, tf.get_default_graph().get_all_collection_keys())):
                if not key.startswith("_"):
                    stage.say(key, [getattr(x, "name", x) for x in tf.get_collection(key)])


def variables(tf, stage):
    _without_first_warnings(stage)

    def case(tf, stage, strategy, session):
        with strategy.scope():
            got = tf.get_variable
            made = [
                tf.Variable(3, name="number", trainable=False),
                tf.Variable(np.ones(2), name="doubles"),
                got(
                    "local", [2], collections=["local_variables"], initializer=tf.ones_initializer()
                ),
                got("fixed", initializer=[1.0, 2.0], trainable=False, use_resource=False),
                got(
                    "limited", [2], constraint=lambda x: x * 0.5, initializer=tf.ones_initializer()
                ),
                got("regular", [2], regularizer=tf.reduce_sum, initializer=tf.ones_initializer()),
                got("cached", [2], caching_device="/cpu:0", initializer=tf.zeros_initializer()),
                got("half", [], tf.float16, tf.constant_initializer(0.5)),
            ]
            with tf.variable_scope("inner", reuse=tf.AUTO_REUSE):
                made += [got("twice", [], initializer=tf.zeros_initializer()) for _ in range(2)]
            stage.say(made[-1] is made[-2], [type(v).__name__.strip("_") for v in made])
            stage.attempt(lambda: got("fixed", [3]))
            with tf.variable_scope(tf.get_variable_scope(), reuse=True):
                stage.attempt(lambda: got("none", [2]))
            stage.attempt(
                lambda: got("parts", [4, 1], partitioner=tf.fixed_size_partitioner(2)).name
            )
            for v in made:
                stage.say(v.name, v.dtype, v.shape, v.trainable, v.device, v.op.type)
                stage.say(tf.is_tensor(v), v.graph is made[0].graph)
            doubled = tf.convert_to_tensor(made[0]) * 2
            saver = tf.train.Saver()
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        stage.say(session.run([doubled, *made]))
        stage.say(tf.train.list_variables(saver.save(session, stage.folder + "/c")))
        with strategy.scope():
            stage.say(
                [type(op).__name__.strip("_") for op in (made[0].assign(4), made[0].assign_add(1))]
            )
        stage.say([strategy.extended.variable_created_in_scope(v) for v in made[:2]])

    _each(tf, stage, case, "central")


def optimizers(tf, stage):
    def case(tf, stage, strategy, session):
        with strategy.scope():
            step = tf.train.get_or_create_global_step()
            w = tf.get_variable("w", initializer=[1.0, 2.0])
            rows = tf.get_variable("rows", initializer=[[1.0], [2.0], [3.0]])
            unused = tf.get_variable("unused", initializer=5.0)
            optimizer = tf.train.AdamOptimizer(0.5)
            momentum = tf.train.MomentumOptimizer(0.1, 0.9)

            def replica(factor, power=1.0):
                context = tf.distribute.get_replica_context()
                number = tf.cast(context.replica_id_in_sync_group, tf.float32) + 1.0
                loss = tf.reduce_sum(w * w) * number * factor * power
                loss += tf.reduce_sum(tf.gather(rows, [0, 2, 0]))
                first = optimizer.minimize(loss, step)
                second = momentum.minimize(loss, var_list=[w])
                return first, second, loss, context.num_replicas_in_sync

            run = strategy.experimental_run_v2
            first, second, loss, count = run(replica, (2.0,), {"power": 0.5})
            stage.say(count, [v.name for v in optimizer.variables()])
            slots = [
                optimizer.get_slot(v, n) for v in (w, rows) for n in optimizer.get_slot_names()
            ]
            stage.say([s.name for s in slots], momentum.get_slot(w, "momentum").name)
            total = strategy.reduce("sum", loss)
            mean = strategy.reduce(tf.distribute.ReduceOp.MEAN, loss)
            group = strategy.group(first)
            stage.attempt(
                lambda: run(lambda: optimizer.minimize(unused * 0.0 + tf.constant(1.0))) is None
            )
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            stage.say(session.run([total, mean]))
            session.run(group)
            stage.say(session.run([w, rows, unused, step]))
        session.run(strategy.group(second))
        stage.say(session.run([w, *slots[:2]]))

    _each(tf, stage, case, "central", graph=False)


def scaled_losses(tf, stage):
    def case(tf, stage, strategy, session):
        scale = functools.partial(tf.train.experimental.DynamicLossScale, 4, 2)
        keras = tf.keras.mixed_precision.experimental.LossScaleOptimizer
        traced = []
        with strategy.scope():
            w = tf.Variable([5.0], use_resource=True)
            x = tf.placeholder(tf.float32, [2])
            step = tf.train.get_or_create_global_step()
            first = tf.train.experimental.MixedPrecisionLossScaleOptimizer(
                tf.train.MomentumOptimizer(0.5, 0.5), scale()
            )
            second = keras(tf.keras.optimizers.SGD(0.5), scale())

            @tf.function
            def scaled():
                number = tf.distribute.get_replica_context().replica_id_in_sync_group
                traced.append(number)
                return w * x[number]

            def replica():
                return first.minimize(scaled, step, [w]), second.minimize(scaled, [w])

            steps = strategy.experimental_run_v2(replica)
            stage.attempt(lambda: first.apply_gradients([(w, w)]))
            stage.attempt(lambda: second.apply_gradients([(w, w)]))
            strategy.experimental_run_v2(scaled)
            stage.say(len(traced))
            scales = [optimizer._loss_scale() for optimizer in (first, second)]
        updates = tf.nest.flatten([strategy.experimental_local_results(each) for each in steps])
        session.run(tf.global_variables_initializer())
        inf, nan = np.inf, np.nan
        for values in ([1, 1], [1, 1], [1, inf], [1, 2], [nan, nan], [inf, 1], [nan, 1], [1, 0]):
            for update in updates:
                session.run(update, {x: values})
            stage.say(session.run([w, step, *scales]))

    _each(tf, stage, case, graph=False)


def averages_and_merges(tf, stage):
    def case(tf, stage, strategy, session):
        extended = strategy.extended
        with strategy.scope():
            v = tf.get_variable("v", initializer=[2.0], aggregation=tf.VariableAggregation.MEAN)
            average = tf.train.ExponentialMovingAverage(0.5)

            def merged(strategy, x, scale=1.0, deep=None):
                stage.say(type(x).__name__.strip("_"), scale, sorted(deep or {}))
                return strategy.extended.reduce_to("mean", x, v), scale

            def replica(x):
                context = tf.distribute.get_replica_context()
                out = context.merge_call(merged, (x * 2.0,), {"scale": 3.0, "deep": {"a": x}})
                stage.say(tf.distribute.in_cross_replica_context())
                return out[0] * out[1], v.assign_add(x)

            x, added = extended.call_for_each_replica(replica, args=(tf.constant([1.5]),))
            parts = strategy.unwrap(x)
            applied = extended.update(
                v,
                lambda v, by, more=0.0: v.assign_add(by + more),
                args=(1.0,),
                kwargs={"more": 0.5},
            )
            where = extended.non_slot_devices([v])
            done = extended.update_non_slot(
                where, lambda a, b=1.0: tf.constant(a + b), (1.0,), {"b": 4.0}, group=False
            )
            stage.attempt(lambda: strategy.experimental_run(lambda: 3))
            stage.attempt(lambda: [a.name for a in [average.apply([v])]])
            stage.attempt(lambda: average.average(v).name)
        session.run(tf.global_variables_initializer())
        stage.say(session.run(list(parts)), session.run(strategy.group(added)), session.run(v))
        session.run(strategy.group(applied))
        stage.say(session.run(v), session.run(strategy.unwrap(done)[0]))

    _each(tf, stage, case)


def debiased_averages(tf, stage):
    def case(tf, stage, strategy, session):
        average = tf.train.ExponentialMovingAverage(0.25, zero_debias=True)

        def replica(x):
            context = tf.distribute.get_replica_context()
            number = context.replica_id_in_sync_group if context else 0
            scaled = x * (1.0 + tf.cast(number, tf.float32))
            return average.apply([scaled]), average.average(scaled)

        with strategy.scope():
            inside, moved = strategy.experimental_run_v2(replica, args=(tf.constant([1.0, 2.0]),))
            outside, x = [], tf.constant([3.0, 4.0])
            stage.attempt(lambda: outside.append(average.apply([x])))
            moved = strategy.unwrap(moved)[0]
        stage.say([v.name for v in tf.global_variables()])
        session.run(tf.global_variables_initializer())
        for step in [strategy.group(inside), *outside] * 2:
            session.run(step)
            stage.say(session.run(moved))
        stage.say(*session.run([average.average(x)] if outside else []))

    _each(tf, stage, case)


def losses_in_loops(tf, stage):
    def case(tf, stage, strategy, session):
        optimizer = tf.train.GradientDescentOptimizer(0.25)

        def replica(x):
            with tf.variable_scope("", use_resource=True):
                w = tf.get_variable("w", initializer=[[2.0]])
            return optimizer.minimize(lambda: tf.reduce_sum(tf.matmul(x, w)))

        with strategy.scope():
            iterator = strategy.make_dataset_iterator(
                tf.data.Dataset.range(8)
                .map(lambda x: [tf.cast(x, tf.float32)])
                .batch(2, drop_remainder=True)
            )
            context = strategy.extended.experimental_run_steps_on_iterator(
                lambda _, x: strategy.group(strategy.experimental_run_v2(replica, args=(x,))),
                iterator, 3)  # fmt: skip
        session.run([iterator.initialize(), tf.global_variables_initializer()])
        stage.say(session.run([context.run_op, *tf.trainable_variables()]))
        stage.say(session.run(tf.trainable_variables()))

    _each(tf, stage, case, graph=False)


def converted_replicas(tf, stage):
    stage.addFilter(lambda record: "significant overhead" not in record.getMessage())
    stage.addFilter(lambda record: "significant overhead" not in record.getMessage())
    strategies = _strategies(tf)
    for name in ("mirrored_alone", "one_device", "servers", "default"):
        with eager_mode(tf):
            strategy = strategies[name]()

            def replica(x):
                if tf.reduce_sum(x) < 0.0:
                    return -x
                return x

            def step(x, strategy=strategy, replica=replica):
                return strategy.unwrap(strategy.experimental_run_v2(replica, args=(x,)))

            stage.say(name)
            for call in tf.function(step), tf.function(step, autograph=False), step:
                for x in [-3.0], [4.0]:
                    stage.attempt(lambda call=call, x=x: call(tf.constant(x)))


def keras_models(tf, stage):
    layers = tf.keras.layers
    x = np.arange(96.0, dtype=np.float32).reshape(16, 6) % 7.0
    y = x[:, :1] * 2.0

    class Subclassed(tf.keras.Model):
        def call(self, inputs):
            return inputs * 2.0

    def compiled(strategy, build, **how):
        with strategy.scope():
            model = build()
            model.compile("sgd", "mse", **how)
        return model

    def normalized():
        dense = layers.Dense(1, kernel_initializer="ones")
        return tf.keras.Sequential(
            [layers.BatchNormalization(momentum=0.5, input_shape=(6,)), dense]
        )

    def loss(strategy, reduction):
        with strategy.scope():
            return tf.keras.losses.MeanSquaredError(reduction)(y, y + 1.0).shape

    def case(tf, stage, strategy, session):
        tf.keras.backend.set_session(session)
        with stage.failing():
            model = compiled(strategy, normalized, metrics=["mae"])
            stage.say(model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0).history)
            stage.say(model.evaluate(x, y, batch_size=8, verbose=0), model.predict(x[:4]))
            stage.say(*model.get_weights())
        outside = normalized()
        for attempt in (
            lambda: compiled(strategy, normalized, run_eagerly=True),
            lambda: compiled(strategy, normalized, weighted_metrics=["mae"]),
            lambda: compiled(strategy, normalized, sample_weight_mode="temporal"),
            lambda: compiled(strategy, Subclassed),
            lambda: compiled(strategy, lambda: tf.keras.Sequential([layers.Dense(1)])),
        ):
            stage.attempt(lambda attempt=attempt: attempt().name)
        try:
            stage.say(compiled(strategy, lambda: outside).name)
        except ValueError as error:
            stage.say(str(error).split("(")[0], str(error).split("It is most")[1])
        for reduction in ("auto", "sum_over_batch_size", "sum", "none"):
            stage.attempt(loss, strategy, reduction)

    _each(tf, stage, case, without=("servers", "central"), graph=False)


def parts_of_variables(tf, stage):
    """Only under strategies with a single copy of each variable."""
    _without_first_warnings(stage)
    parts = tf.fixed_size_partitioner(2)
    for name, make in _strategies(tf).items():
        if "mirrored" in name:
            continue
        with tf.Graph().as_default(), _session(tf) as session, stage.failing():
            strategy = make()
            stage.say(name)
            with strategy.scope():
                v = tf.get_variable(
                    "v", [3, 1], initializer=tf.ones_initializer(), partitioner=parts
                )
                stage.say(
                    type(v).__name__, [x.name for x in v] if name in ("central", "servers") else ""
                )
                rows = tf.nn.embedding_lookup(v, [2, 0])

                def replica():
                    loss = tf.reduce_sum(tf.nn.embedding_lookup(v, [2, 0]) ** 2)
                    return tf.train.GradientDescentOptimizer(0.25).minimize(loss)

                train = strategy.group(strategy.experimental_run_v2(replica))
                savers = [tf.train.Saver(), tf.train.Saver({"other": v})]
            session.run(tf.global_variables_initializer())
            session.run(train)
            stage.say(session.run(rows))
            for number, saver in enumerate(savers):
                path = saver.save(session, f"{stage.folder}/{name}{number}")
                stage.say(
                    [(n, tf.train.load_variable(path, n)) for n, _ in tf.train.list_variables(path)]
                )
            session.run(tf.global_variables_initializer())
            saver.restore(session, path)
            stage.say(session.run(rows))


def settings(tf, stage):
    config = tf.ConfigProto(allow_soft_placement=True)
    for name, make in _strategies(tf).items():
        with tf.Graph().as_default(), stage.failing():
            strategy = make()
            stage.say(name, strategy.update_config_proto(config))
            given = tf.ConfigProto()
            stage.attempt(strategy.configure, given)
            stage.say(str(given).replace("\n", " "))
            extended = strategy.extended
            for fact in (
                "parameter_devices",
                "experimental_between_graph",
                "experimental_should_init",
                "should_checkpoint",
                "should_save_summary",
                "experimental_require_static_shapes",
                "_num_replicas_in_sync",
            ):
                stage.attempt(lambda: (fact, getattr(extended, fact)))
            stage.say(strategy.experimental_local_results(3), strategy.unwrap(3))
            with strategy.scope() as again:
                stage.say(again is strategy, tf.distribute.has_strategy())
                with strategy.scope():
                    stage.say(tf.distribute.get_strategy() is strategy)
                stage.say(tf.distribute.in_cross_replica_context())
            stage.say(tf.distribute.has_strategy(), tf.distribute.get_replica_context() is None)
