"""Variables: errors, partitions, templates, moving averages, getters, string forms, in graph and eager mode."""

import copy
import importlib

import numpy as np

from tests.conformance.scenes import eager_mode


def _internal(tf, module, *names):
    """Objects that programs import from a TensorFlow module."""
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
        stage.attempts(
            lambda: v.numpy(),  # noqa: B023
            lambda: v.create,  # noqa: B023
            lambda: copy.deepcopy(v) if resource else None,  # noqa: B023
            lambda: bool(v),  # noqa: B023
            lambda: len(v),  # noqa: B023
            lambda: v.initial_value.name,  # noqa: B023
        )
        with tf.Session() as session:
            session.run(v.initializer)
            v.load([3.0, 4.0], session)
            stage.say(v.eval(session), v.eval())
    stage.attempts(
        lambda: tf.Variable(1.0, collections="x"),
        lambda: tf.Variable(1.0, synchronization="on_read"),
        lambda: [tf.VariableAggregation.MEAN == n for n in range(4)],
        lambda: len({tf.VariableAggregation.MEAN, tf.VariableAggregation.MEAN}),
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
                    lambda: v._get_variable_list() == list(v),  # noqa: B023
                    lambda: tf.convert_to_tensor(v, tf.int32),  # noqa: B023
                    lambda: (v * 2.0).name,  # noqa: B023
                    lambda: [x.name for x in v.assign_sub(list(v))],  # noqa: B023
                    lambda: v.assign(tf.zeros([7])),  # noqa: B023
                    lambda: v.assign([]),  # noqa: B023
                )
            stage.say(both)
            stage.attempts(lambda: get("unknown", [None], [1]), lambda: get("length", [4], [2, 1]))
    size, least = tf.variable_axis_size_partitioner, tf.min_max_variable_partitioner
    known, kind = tf.TensorShape([8, 3]), tf.float32
    stage.attempts(
        lambda: size(16)([8, 3], kind),
        lambda: size(16)(tf.TensorShape([None, 3]), kind),
        lambda: size(16)(tf.TensorShape(None), kind),
        lambda: size(16)(known, "float32"),
        lambda: least(4, 2)(known, kind),
    )
    create = tf.create_partitioned_variables
    stage.attempts(
        lambda: [x.name for x in create([4, 2], [2, 1], ones, name="n")],
        lambda: create([], [], ones),
    )
    with tf.variable_scope("got", custom_getter=lambda getter, *a, **k: getter(*a, **k)):
        stage.attempt(lambda: create([4], [2], ones))


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
            lambda: v.eval(),
            lambda: v.load([3.0, 4.0]),
            lambda: v.to_proto(),
            lambda: v._shape_as_list(),
            lambda: v._shape_tuple(),
            lambda: copy.deepcopy(v).numpy(),
            lambda: v.count_up_to(3),
            lambda: v.scatter_sub(3),
        )
        with tf.init_scope():
            stage.say(tf.executing_eagerly())
        w = tf.compat.v1.get_variable("w", [2], initializer=tf.ones_initializer())
        store = tf.contrib.eager.EagerVariableStore()
        with store.as_default():
            first = tf.compat.v1.get_variable("w", [2], initializer=tf.zeros_initializer())
            second = tf.compat.v1.get_variable("w", [2])
            tf.compat.v1.get_variable("x", [], trainable=False, initializer=tf.ones_initializer())
            stage.say(first is second, first is w, first.name)
        stage.say([x.name for x in store.variables()], store.trainable_variables() == [first])
        copied = store.copy()
        stage.say(copied.variables()[0] is first, [x.numpy() for x in copied.variables()])
        stage.say([x.name for x in copied.non_trainable_variables()])
