"""Variables: refusals, parts, templates, moving averages, getters, what is shown of them, in graphs and eagerly."""

import copy
import importlib

import numpy as np

from tests.conformance.scenes import eager_mode


def _internal(tf, module, *names):
    """Objects of a module of TensorFlow that programs import from there."""
    if tf.__name__ == "tensorflow":
        found = importlib.import_module("tensorflow.python." + module)
        return [getattr(found, name) for name in names]
    lookup = importlib.import_module("tfmini._src.programs.hook.object_lookup")
    return [lookup.find("python." + module, name) for name in names]


def kinds_in_graphs(tf, stage):
    def made(**options):
        return tf.Variable([1.0, 2.0], name="v", **options)

    for resource in (False, True):
        v = made(use_resource=resource)
        rows = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
        stage.attempts(
            lambda: v.handle,  # noqa: B023  called here
            lambda: v.numpy(),  # noqa: B023
            lambda: v.create,  # noqa: B023
            lambda: v._shape_as_list(),  # noqa: B023
            lambda: v.set_shape([2]),  # noqa: B023
            lambda: v.set_shape([3]),  # noqa: B023
            lambda: copy.deepcopy(v) if resource else None,  # noqa: B023
            lambda: copy.copy(v) is v,  # noqa: B023
            lambda: repr(v),  # noqa: B023
            lambda: hash(v) == hash(v),  # noqa: B023
            lambda: v == v,  # noqa: B023
            lambda: v != v,  # noqa: B023
            lambda: bool(v),  # noqa: B023
            lambda: len(v),  # noqa: B023
            lambda: list(v),  # noqa: B023
            lambda: v[0].name,  # noqa: B023
            lambda: v[:1].assign([5.0]).name,  # noqa: B023
            lambda: v.scatter_add(3),  # noqa: B023
            lambda: v.scatter_add(rows).name,  # noqa: B023
            lambda: v.scatter_sub(rows).name,  # noqa: B023
            lambda: v.scatter_update(rows).name,  # noqa: B023
            lambda: v.scatter_max(rows).name,  # noqa: B023
            lambda: v.scatter_min(rows).name,  # noqa: B023
            lambda: v.scatter_mul(rows).name,  # noqa: B023
            lambda: v.scatter_div(rows).name,  # noqa: B023
            lambda: v.batch_scatter_update(rows),  # noqa: B023
            lambda: v.scatter_nd_add([[0]], [1.0]).name,  # noqa: B023
            lambda: v.scatter_nd_sub([[0]], [1.0]).name,  # noqa: B023
            lambda: v.scatter_nd_update([[0]], [1.0]).name,  # noqa: B023
            lambda: v.sparse_read([0]).name,  # noqa: B023
            lambda: v.gather_nd([[0]]).name,  # noqa: B023
            lambda: v.count_up_to(3),  # noqa: B023
            lambda: v.assign([1.0]),  # noqa: B023
            lambda: v.assign([1.0, 2.0, 3.0]),  # noqa: B023
            lambda: v.assign([1.0, 2.0], name="n", read_value=False).name,  # noqa: B023
            lambda: v.assign_add([1.0, 2.0], use_locking=True).name,  # noqa: B023
            lambda: v.assign_sub([1, 2]).name,  # noqa: B023
            lambda: v.load([3.0, 4.0]),  # noqa: B023
            lambda: v.eval(),  # noqa: B023
            lambda: v.initialized_value().name,  # noqa: B023
            lambda: v.initial_value.name,  # noqa: B023
            lambda: (v.trainable, str(v.synchronization), str(v.aggregation), v.constraint),  # noqa: B023
            lambda: (v.op.type, v.device, v.graph is tf.get_default_graph(), v.dtype),  # noqa: B023
            lambda: v.is_initialized().name if resource else tf.is_variable_initialized(v).name,  # noqa: B023
            lambda: tf.convert_to_tensor(v, tf.int32),  # noqa: B023
            lambda: tf.convert_to_tensor(v, preferred_dtype=tf.int32).dtype,  # noqa: B023
            lambda: v + 1 if v.dtype == tf.int32 else (v * 2.0 - 1.0 / v).name,  # noqa: B023
            lambda: (v @ [[1.0], [2.0]]).name,  # noqa: B023
            lambda: (abs(-v) ** 2.0 // 3.0 % 2.0).name,  # noqa: B023
            lambda: (v > 1.0, (v <= 2.0).name),  # noqa: B023
            lambda: str(v.to_proto()).split("\n")[:3],  # noqa: B023
            lambda: v.to_proto(export_scope="x"),  # noqa: B023
            lambda: v.from_proto(v.to_proto()).name,  # noqa: B023
            lambda: v._save_slice_info,  # noqa: B023
        )
        with tf.Session() as session:
            session.run(v.initializer)
            v.load([3.0, 4.0], session)
            stage.say(v.eval(session), v.eval())
            stage.attempt(lambda: v.load([3.0], session))  # noqa: B023
            stage.attempt(lambda: v.load(["a", "b"], session))  # noqa: B023
    stage.attempts(
        lambda: tf.Variable(),
        lambda: tf.Variable(None),
        lambda: tf.Variable(lambda: None),
        lambda: tf.Variable(1.0, constraint=3),
        lambda: tf.Variable(1.0, dtype=tf.int32),
        lambda: tf.Variable("a").dtype,
        lambda: tf.Variable([[1], [2, 3]]),
        lambda: tf.Variable(1.0, shape=[2]),
        lambda: tf.Variable([1.0, 2.0], shape=[None], use_resource=True).shape,
        lambda: tf.Variable(tf.placeholder(tf.float32), validate_shape=False).shape,
        lambda: tf.Variable(tf.placeholder(tf.float32)),
        lambda: tf.Variable(lambda: tf.ones([2])),
        lambda: tf.Variable(lambda: tf.ones([2]), dtype=tf.float32).initial_value.name,
        lambda: tf.Variable(1.0, collections="x"),
        lambda: tf.Variable(1.0, collections=["x"], trainable=True).name in tf.get_collection("x"),
        lambda: tf.Variable(1.0, name="a b"),
        lambda: tf.Variable(1.0, name="a/b").name,
        lambda: tf.Variable(1.0, name="").name,
        lambda: tf.Variable(1.0, caching_device="/cpu:0").name,
        lambda: tf.Variable(1.0, expected_shape=[2]).shape,
        lambda: tf.Variable(1.0, synchronization="on_read"),
        lambda: tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM).aggregation,
        lambda: tf.Variable(1.0, variable_def=tf.Variable(1.0).to_proto()),
        lambda: tf.Variable(1.0, import_scope="x").name,
        lambda: [tf.VariableAggregation.MEAN == n for n in range(4)],
        lambda: len({tf.VariableAggregation.MEAN, tf.VariableAggregation.MEAN}),
        lambda: (
            hash(tf.VariableAggregation.ONLY_FIRST_REPLICA)
            == hash(tf.VariableAggregation.ONLY_FIRST_TOWER)
        ),
    )


def parts(tf, stage):
    ones = tf.ones_initializer()

    def get(name, shape, slices, **options):
        return tf.get_variable(
            name, shape, initializer=ones, partitioner=lambda shape, dtype: slices, **options
        )

    for resource in (False, True):
        with tf.variable_scope(f"r{resource}", use_resource=resource):
            one, two = get("one", [5, 2], [3, 1]), get("two", [2, 5], [1, 2])
            whole, both = get("whole", [3], [1]), None
            with stage.failing():
                both = get("both", [4, 4], [2, 2])
            for v in (one, two, whole):
                stage.attempts(
                    lambda: len(v),  # noqa: B023  called here
                    lambda: [part.name for part in v],  # noqa: B023
                    lambda: v._get_variable_list() == list(v),  # noqa: B023
                    lambda: v._get_partitions(),  # noqa: B023
                    lambda: v._partition_axes(),  # noqa: B023
                    lambda: (v.name, v.dtype, str(v.shape), v.trainable),  # noqa: B023
                    lambda: v.as_tensor().name,  # noqa: B023
                    lambda: tf.convert_to_tensor(v).name,  # noqa: B023
                    lambda: tf.convert_to_tensor(v, tf.int32),  # noqa: B023
                    lambda: (v * 2.0).name,  # noqa: B023
                    lambda: [x.name for x in v.assign(tf.zeros(v.shape))],  # noqa: B023
                    lambda: [x.name for x in v.assign_add(tf.ones(v.shape))],  # noqa: B023
                    lambda: [x.name for x in v.assign_sub(list(v))],  # noqa: B023
                    lambda: v.assign(tf.zeros([7])),  # noqa: B023
                    lambda: v.assign([]),  # noqa: B023
                    lambda: v.get_shape(),  # noqa: B023
                    lambda: v[0],  # noqa: B023
                    lambda: [
                        (i.full_name, i.full_shape, i.var_offset, i.var_shape, i.spec)
                        for i in (p._get_save_slice_info() for p in v)  # noqa: B023
                    ],
                    lambda: str(list(v)[0]._get_save_slice_info().to_proto()).split("\n")[:2],  # noqa: B023
                    lambda: list(v)[0]._get_save_slice_info().to_proto("x"),  # noqa: B023
                    lambda: str(list(v)[0].to_proto()).count("slice"),  # noqa: B023
                )
            stage.say(both)
            stage.attempts(
                lambda: get("none", [4], [0]),
                lambda: get("far", [2], [3]),
                lambda: get("rank", [], []),
                lambda: get("unknown", [None], [1]),
                lambda: get("length", [4], [2, 1]),
                lambda: get("value", None, [1]),
            )
    size, least = tf.variable_axis_size_partitioner, tf.min_max_variable_partitioner
    known, kind = tf.TensorShape([8, 3]), tf.float32
    stage.attempts(
        lambda: size(16)(known, kind),
        lambda: size(16, axis=1)(known, kind),
        lambda: size(1)(known, kind),
        lambda: size(1, max_shards=2)(known, kind),
        lambda: size(100)(known, tf.string),
        lambda: size(100, bytes_per_string_element=30)(known, tf.string),
        lambda: size(16)([8, 3], kind),
        lambda: size(16)(tf.TensorShape([None, 3]), kind),
        lambda: size(16)(tf.TensorShape(None), kind),
        lambda: size(16)(known, "float32"),
        lambda: size(16, axis=2)(known, kind),
        lambda: size(0),
        lambda: callable(size(16, max_shards=0)),
        lambda: callable(size(16, bytes_per_string_element=0)),
        lambda: least(4)(known, kind),
        lambda: least(4, min_slice_size=30)(known, kind),
        lambda: least(4, 1, 1)(known, kind),
        lambda: least(4, 2)(known, kind),
        lambda: least(4, 0, 8, 100)(known, tf.string),
        lambda: callable(least(0)),
        lambda: callable(least(4, -1)),
        lambda: callable(least(4, min_slice_size=0)),
        lambda: tf.fixed_size_partitioner(3)(shape=known, dtype=kind),
        lambda: tf.fixed_size_partitioner(3, 1)(shape=known, dtype=kind),
        lambda: tf.fixed_size_partitioner(3, 2)(shape=known, dtype=kind),
    )
    create = tf.create_partitioned_variables
    stage.attempts(
        lambda: [x.name for x in create([4, 2], [2, 1], ones)],
        lambda: [x.name for x in create([4, 2], [2, 1], ones, name="n")],
        lambda: [x.name for x in create([4, 2], [2, 1], ones, name="n")],
        lambda: [x.name for x in create([4, 2], [2, 1], ones, name="n", reuse=True)],
        lambda: create([4, 2], [2], ones),
        lambda: create([], [], ones),
        lambda: create([4, 2], [2, 2], ones),
        lambda: create([4, 2], [3, 1], ones),
        lambda: [x.shape for x in create([5, 2], [3, 1], ones, dtype=tf.int32, trainable=False)],
        lambda: create([4], [1], ones, collections=["c"])[0].name,
        lambda: [x.name for x in tf.get_collection("c")],
    )
    with tf.variable_scope("got", custom_getter=lambda getter, *a, **k: getter(*a, **k)):
        stage.attempt(lambda: create([4], [2], ones))


def templates(tf, stage):
    def f(x, name="w", also=False):
        if also:
            tf.Variable(1.0, name="more")
        return x * tf.get_variable(name, initializer=2.0)

    one = tf.make_template("one", f)
    stage.say(one.name, one.func is f, one.variable_scope_name if one._variable_scope else "-")
    stage.attempts(
        lambda: one.variables,
        lambda: one.var_scope,
        lambda: one(tf.constant(1.0)).name,
        lambda: one(tf.constant(1.0)).name,
        lambda: one(tf.constant(1.0), name="other"),
        lambda: one(tf.constant(1.0), also=True).name,
        lambda: [v.name for v in one.variables],
        lambda: [v.name for v in one.trainable_variables],
        lambda: [v.name for v in one.non_trainable_variables],
        lambda: [v.name for v in one.global_variables],
        lambda: [v.name for v in one.local_variables],
        lambda: [v.name for v in one.weights],
        lambda: [v.name for v in one.trainable_weights],
        lambda: (one.variable_scope.name, one.var_scope.name, one.variable_scope_name),
    )
    first = tf.make_template("first", f, also=True)
    unique = tf.make_template("u", f, create_scope_now_=True, unique_name_="mine")
    eager = tf.make_template("u", f, create_scope_now_=True)
    again = tf.make_template("u", f, create_scope_now_=True)
    stage.attempts(
        lambda: first(tf.constant(1.0)).name,
        lambda: first(tf.constant(1.0)).name,
        lambda: (unique.variable_scope.name, eager.variable_scope.name, again.variable_scope.name),
        lambda: unique(1.0).name,
        lambda: eager(1.0).name,
        lambda: tf.make_template("u", f, unique_name_="mine")(1.0).name,
        lambda: tf.make_template("g", f, custom_getter_=_doubled)(1.0).name,
        lambda: tf.make_template(None, f)(1.0),
        lambda: tf.make_template("u", 3),
        lambda: tf.make_template("x/y", f)(1.0).name,
        lambda: tf.make_template("s", lambda x: one(x))(1.0).name,
        lambda: tf.make_template("fails", lambda: 1 / 0)(),
        lambda: tf.make_template("k", f, name="z")(1.0).name,
        lambda: tf.make_template("k", f, name="z")(1.0, name="y").name,
    )
    with tf.variable_scope("s"):
        stage.attempt(lambda: tf.make_template("inner", f)(1.0).name)
        stage.attempt(lambda: eager(1.0).name)
    with tf.variable_scope("s", reuse=True):
        stage.attempt(lambda: tf.make_template("inner", f)(1.0).name)
        stage.attempt(lambda: tf.make_template("newer", f)(1.0).name)
    with tf.Graph().as_default():
        stage.attempt(lambda: one(tf.constant(1.0)).name)


def _doubled(getter, *given, **options):
    return getter(*given, **options) * 2.0


def moving_averages(tf, stage):
    names = ("assign_moving_average", "weighted_moving_average")
    move, weigh = _internal(tf, "training.moving_averages", *names)
    cases = {}
    for resource in (False, True):
        for debias in (True, False):

            def run(resource=resource, debias=debias):
                with tf.variable_scope("s"):
                    v = tf.get_variable("v", initializer=[0.0, 1.0], use_resource=resource)
                    first = move(v, tf.constant([1.0, 3.0]), 0.75, debias)
                    with tf.control_dependencies([first]):
                        second = move(v, [2.0, 2.0], tf.constant(0.5), debias, name="n")
                return [tf.identity(second), sorted(x.name for x in tf.global_variables())][:1]

            cases[f"{resource} {debias}"] = run

    def reused():
        with tf.variable_scope("s"):
            v = tf.get_variable("v", initializer=1.0)
            move(v, 2.0, 0.5)
        with tf.variable_scope("s", reuse=True):
            return [tf.identity(move(tf.get_variable("v"), 2.0, 0.5))][:0]

    def dtypes():
        v = tf.get_variable("v", initializer=np.array([1.0, 2.0]))
        return tf.identity(move(v, np.array([3.0, 4.0]), 0.5, False))

    def weighted():
        found = weigh(tf.constant(2.0), 0.5, tf.constant(3.0))
        return tf.identity(found)

    def shadows(**options):
        def run():
            v = tf.Variable([1.0, 2.0], name="v")
            w = tf.Variable(3.0, name="w", trainable=False)
            average = tf.train.ExponentialMovingAverage(0.5, **options)
            apply = average.apply([v] if options else None)
            stage.say(average.name, average.average_name(v), average.average(w))
            stage.say(sorted(average.variables_to_restore()))
            stage.say(sorted(average.variables_to_restore([w])))
            with tf.control_dependencies([apply]):
                return tf.identity(average.average(v))

        return run

    def twice():
        v = tf.Variable(1.0, name="v")
        average = tf.train.ExponentialMovingAverage(0.5)
        average.apply([v])
        return average.apply([v])

    def of(make):
        return lambda: tf.train.ExponentialMovingAverage(0.5).apply([make()])

    cases.update(
        reused=reused,
        dtypes=dtypes,
        weighted=weighted,
        shadows=shadows(),
        shadows_debiased=shadows(zero_debias=True),
        shadows_updates=shadows(num_updates=3),
        shadows_named=shadows(name="mine"),
        twice=twice,
        integer=of(lambda: tf.Variable(1)),
        tensor=of(lambda: tf.constant([1.0, 2.0])),
        half=of(lambda: tf.Variable(np.float16(1.0))),
    )
    stage.each(cases)


def eagerly(tf, stage):
    with tf.Graph().as_default(), eager_mode(tf):
        v = tf.Variable([1.0, 2.0], name="v")
        stage.attempts(
            lambda: v.create,
            lambda: v.initial_value,
            lambda: v.initialized_value(),
            lambda: v.eval(),
            lambda: v.load([3.0, 4.0]),
            lambda: v.to_proto(),
            lambda: v.set_shape([2]),
            lambda: v._shape_as_list(),
            lambda: v._shape_tuple(),
            lambda: copy.deepcopy(v).numpy(),
            lambda: bool(tf.Variable(True)),
            lambda: bool(v),
            lambda: int(tf.Variable(3)),
            lambda: v.count_up_to(3),
            lambda: tf.Variable(3).count_up_to(5),
            lambda: v.scatter_nd_sub([[0]], [1.0]),
            lambda: v.sparse_read([1]),
            lambda: v.gather_nd([[1]]),
            lambda: v.assign([1.0], read_value=False),
            lambda: v.assign([7.0, 8.0], read_value=False),
            lambda: v.scatter_sub(3),
            lambda: tf.Variable(1.0, constraint=abs).constraint is abs,
        )
        with tf.init_scope():
            stage.say(tf.executing_eagerly())
        w = tf.compat.v1.get_variable("w", [2], initializer=tf.ones_initializer())
        store = tf.contrib.eager.EagerVariableStore()
        with store.as_default():
            first = tf.compat.v1.get_variable("w", [2], initializer=tf.zeros_initializer())
            second = tf.compat.v1.get_variable("w", [2])
            stage.say(first is second, first is w, first.name)
        stage.say([x.name for x in store.variables()], store.trainable_variables() == [first])
        copied = store.copy()
        stage.say(copied.variables()[0] is first, [x.numpy() for x in copied.variables()])
        stage.say(store.non_trainable_variables())
