"""Replicas in eager mode: mirrored variables, optimizers, unevenly ending input."""

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.conftest import copies, number

pytestmark = pytest.mark.usefixtures("eager")

called = pytest.mark.parametrize(
    "call", [lambda function: function, tf.function], ids=["eager", "function"]
)


def momentum_of_keras():
    return tf.keras.optimizers.SGD(0.1, momentum=0.5)


def momentum_of_train():
    return tf.train.MomentumOptimizer(0.1, 0.5)


@called
@pytest.mark.parametrize("kind", [momentum_of_keras, momentum_of_train])
def test_optimizer_applies_summed_gradients_to_all_copies(strategy, kind, call):
    with strategy.scope():
        v, w = tf.Variable(1.0), tf.Variable(2.0)  # of the same name
        optimizer = kind()

    def step():
        optimizer.apply_gradients([(number() + 1.0, v), (number() * 2.0, w)])

    run = call(lambda: strategy.experimental_run_v2(step))
    run()
    run()
    # The gradients are 3 and 2, the momenta then 3 and 2, then 4.5 and 3.
    np.testing.assert_allclose(copies(strategy, v), [1.0 - 0.75] * 2, rtol=1e-6)
    np.testing.assert_allclose(copies(strategy, w), [2.0 - 0.5] * 2, rtol=1e-6)
    signed = -0.1 if kind is momentum_of_keras else 1.0  # whether it includes the learning rate
    for variable, moment in ((v, 4.5), (w, 3.0)):
        slot = optimizer.get_slot(variable, "momentum")
        np.testing.assert_allclose(copies(strategy, slot), [moment * signed] * 2, rtol=1e-6)


def test_collections_do_not_grow_with_steps(strategy):
    with strategy.scope():
        v, count = tf.Variable(1.0), tf.Variable(0, trainable=False)
        optimizer = tf.train.GradientDescentOptimizer(0.1)

    def step():
        optimizer.apply_gradients([(tf.constant(1.0), v)], count)

    for _ in range(3):
        strategy.experimental_run_v2(step)
    assert copies(strategy, count) == [3, 3]
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == []


@called
@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [("MEAN", [1.5, 1.5]), ("SUM", [3.0, 3.0]), ("ONLY_FIRST_REPLICA", [1.0, 1.0])],
)
def test_replica_assignments_are_aggregated(strategy, aggregation, expected, call):
    with strategy.scope():
        v = tf.Variable(0.0, aggregation=tf.VariableAggregation[aggregation])
    call(lambda: strategy.experimental_run_v2(lambda: v.assign(number() + 1.0)))()
    assert copies(strategy, v) == expected


@called
def test_on_read_variables_are_reduced(strategy, call):
    with strategy.scope():
        mean, total = (
            tf.Variable(
                0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=aggregation
            )
            for aggregation in (tf.VariableAggregation.MEAN, tf.VariableAggregation.SUM)
        )

    def step():
        mean.assign_add(number() + 1.0)
        total.assign_add(number() + 1.0)

    call(lambda: strategy.experimental_run_v2(step))()
    assert copies(strategy, mean) == [1.0, 2.0]
    with strategy.scope():
        assert strategy.extended.read_var(mean).numpy() == 1.5
        assert strategy.extended.read_var(total).numpy() == 3.0


def test_replica_reads_variables_during_reduction(strategy):
    with strategy.scope():
        v = tf.Variable(2.0)

    def step():
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            total = context.all_reduce(tf.distribute.ReduceOp.SUM, v * v * (number() + 1.0))
        return total, tape.gradient(total, v), context.all_reduce(tf.distribute.ReduceOp.SUM, v)

    total, grads, sums = tf.function(lambda: strategy.experimental_run_v2(step))()
    assert copies(strategy, total) == [12.0, 12.0]
    assert copies(strategy, sums) == [4.0, 4.0]
    assert copies(strategy, grads) == [8.0, 16.0]  # 2 v (number + 1), from both replicas' sums


def weight_of_a_model():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))]).weights[0]


def test_models_use_current_variable_creators(strategy):
    single = tf.distribute.MirroredStrategy(["/cpu:0"])
    plain = type(weight_of_a_model())
    with strategy.scope():
        assert len(weight_of_a_model().values) == 2
    with single.scope():
        assert len(weight_of_a_model().values) == 1
    created = []

    def creator(next_creator, **kwargs):
        created.append(kwargs["name"])
        return next_creator(**kwargs)

    with tf.variable_creator_scope(creator):
        assert type(weight_of_a_model()) is plain
    assert created == ["kernel", "bias"]
    assert type(weight_of_a_model()) is plain
    assert created == ["kernel", "bias"]


@called
@pytest.mark.parametrize("options", [{}, {"fused": False}, {"renorm": True, "fused": False}])
def test_empty_replica_batch_preserves_moving_averages(strategy, options, call):
    values = np.random.RandomState(0).rand(6, 2, 2, 3).astype(np.float32)
    with strategy.scope():
        layer = tf.keras.layers.BatchNormalization(momentum=0.5, **options)
        layer.build((None, 2, 2, 3))
    batches = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.from_tensor_slices(values).batch(2)
    )
    run = call(
        lambda batch: strategy.experimental_run_v2(lambda x: layer(x, training=True), (batch,))
    )
    for batch in batches:
        outputs = strategy.experimental_local_results(run(batch))
    assert [each.shape.as_list() for each in outputs] == [[2, 2, 2, 3], [0, 2, 2, 3]]
    means = [values[first : first + 2].mean((0, 1, 2)) for first in (0, 2, 4)]
    first, second = strategy.experimental_local_results(layer.moving_mean)
    np.testing.assert_allclose(first.numpy(), means[0] / 4 + means[2] / 2, rtol=1e-5)
    np.testing.assert_allclose(second.numpy(), means[1] / 2, rtol=1e-5)


def test_function_variables_use_surrounding_creators():
    created = []

    def creator(next_creator, **kwargs):
        created.append(kwargs["name"])
        return next_creator(**kwargs)

    variables = []

    @tf.function
    def function():
        if not variables:
            with tf.init_scope():
                variables.append(tf.Variable(3.0, name="lifted"))
        return variables[0] + 1.0

    with tf.variable_creator_scope(creator):
        assert function().numpy() == 4.0
    assert created == ["lifted"]
