"""Replicas in eager mode: variables with copies, optimizers, input that ends unevenly."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.context import drop_context, reset_context

pytestmark = pytest.mark.usefixtures("eager")
called = pytest.mark.parametrize(
    "call", [lambda function: function, tf.function], ids=["eager", "function"]
)


@pytest.fixture(params=["cpu", "gpu"])
def strategy(eager, quiet_logs, request):
    if request.param == "gpu":
        request.getfixturevalue("gpus")
    drop_context()
    reset_context(tf.ConfigProto(device_count={"CPU": 2}))
    yield tf.distribute.MirroredStrategy([f"/{request.param}:{number}" for number in range(2)])
    drop_context()


def copies(strategy, value):
    return [each.numpy().tolist() for each in strategy.experimental_local_results(value)]


def number():
    return tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)


def momentum_of_keras():
    return tf.keras.optimizers.SGD(0.1, momentum=0.5)


def momentum_of_train():
    return tf.train.MomentumOptimizer(0.1, 0.5)


@called
@pytest.mark.parametrize("kind", [momentum_of_keras, momentum_of_train])
def test_an_optimizer_updates_all_copies_by_the_sum_of_gradients(strategy, kind, call):
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
    signed = -0.1 if kind is momentum_of_keras else 1.0  # whether the rate is in it
    for variable, moment in ((v, 4.5), (w, 3.0)):
        slot = optimizer.get_slot(variable, "momentum")
        np.testing.assert_allclose(copies(strategy, slot), [moment * signed] * 2, rtol=1e-6)


def test_no_collection_grows_with_the_steps(strategy):
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
    ("aggregation", "wanted"),
    [("MEAN", [1.5, 1.5]), ("SUM", [3.0, 3.0]), ("ONLY_FIRST_REPLICA", [1.0, 1.0])],
)
def test_what_replicas_assign_is_aggregated(strategy, aggregation, wanted, call):
    with strategy.scope():
        v = tf.Variable(0.0, aggregation=tf.VariableAggregation[aggregation])
    call(lambda: strategy.experimental_run_v2(lambda: v.assign(number() + 1.0)))()
    assert copies(strategy, v) == wanted


@called
def test_copies_that_differ_are_reduced_when_they_are_read(strategy, call):
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


def batches_of_two(size):
    return lambda context: tf.data.Dataset.range(size).batch(2)


def test_the_last_batches_may_be_for_some_replicas_alone(strategy):
    uneven = strategy.experimental_distribute_datasets_from_function(batches_of_two(6))
    found = [copies(strategy, element) for element in uneven]
    assert found == [[[0, 1], [2, 3]], [[4, 5], []]]
    iterator = iter(uneven)
    for _ in range(2):
        iterator.get_next()
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    assert next(iterator, "end") == "end"
    assert list(iter(iterator.next, None)) == []  # StopIteration ends it


def test_those_of_known_shape_are_left_out(strategy):
    known = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(6).batch(2, drop_remainder=True)
    )
    assert [copies(strategy, element) for element in known] == [[[0, 1], [2, 3]]]


@pytest.mark.parametrize("is_static", [False, True])
@pytest.mark.parametrize(("most", "wanted"), [(10, 15), (0, 6)])
def test_a_loop_over_distributed_batches_is_in_the_graph(strategy, most, wanted, is_static):
    uneven = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(6).batch(2, drop_remainder=is_static)
    )
    traced = []

    @tf.function
    def total(batches):
        result = tf.constant(0, tf.int64)
        for batch in batches:
            traced.append(batch)
            sums = strategy.experimental_run_v2(tf.reduce_sum, args=(batch,))
            result += strategy.reduce("SUM", sums, axis=None)
            if result > most:
                break
        return result

    assert total(uneven).numpy() == wanted
    assert len(traced) == 1


def test_a_batch_of_sparse_tensors_ends_unevenly(strategy):
    rows = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])
    sparse = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.from_tensor_slices(rows).batch(1)
    )

    @tf.function
    def dense(batch):
        return strategy.experimental_run_v2(tf.sparse.to_dense, args=(batch,))

    found = [copies(strategy, dense(batch)) for batch in sparse]
    assert found == [[[[0.0, 1.0]], [[0.0, 0.0]]], [[[2.0, 0.0]], []]]


def test_a_batch_of_ragged_tensors_ends_unevenly(strategy):
    rows = tf.ragged.constant([[[1], [2, 3]], [[4]], [], [[5, 6]], [], [[7], []]])
    ragged = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.from_tensor_slices(rows).batch(2)
    )
    found = [
        [each.to_list() for each in strategy.experimental_local_results(batch)] for batch in ragged
    ]
    assert found == [
        [[[[1], [2, 3]], [[4]]], [[], [[5, 6]]]],
        [[[], [[7], []]], []],
    ]


def test_a_replica_reads_variables_while_others_reduce(strategy):
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
    assert copies(strategy, grads) == [8.0, 16.0]  # 2 v (number + 1), of both replicas' sums


def weight_of_a_model():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))]).weights[0]


def test_models_are_made_by_the_creators_of_their_moment(strategy):
    single = tf.distribute.MirroredStrategy(["/cpu:0"])
    plain = type(weight_of_a_model())
    with strategy.scope():
        assert len(weight_of_a_model().values) == 2
    with single.scope():
        assert len(weight_of_a_model().values) == 1
    made = []

    def creator(next_creator, **kwargs):
        made.append(kwargs["name"])
        return next_creator(**kwargs)

    with tf.variable_creator_scope(creator):
        assert type(weight_of_a_model()) is plain
    assert made == ["kernel", "bias"]
    assert type(weight_of_a_model()) is plain
    assert made == ["kernel", "bias"]


def test_iterators_of_eager_mode_have_begun(strategy):
    dataset = tf.data.Dataset.range(8).batch(4)
    iterator = strategy.make_dataset_iterator(dataset)
    iterator.initialize()
    assert copies(strategy, iterator.get_next()) == [[0, 1], [2, 3]]
    iterator.initialize()
    assert copies(strategy, iterator.next()) == [[0, 1], [2, 3]]
    assert copies(strategy, next(iterator)) == [[4, 5], [6, 7]]
    distributed = strategy.experimental_distribute_dataset(dataset)
    assert copies(strategy, distributed.make_one_shot_iterator().get_next()) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match=r"in Eager mode\. Please use `iter\(\)` instead\.$"):
        distributed.make_initializable_iterator()


def test_iterators_of_the_default_strategy_have_begun():
    default = tf.distribute.get_strategy()
    dataset = tf.data.Dataset.range(4).batch(2)
    for iterator in (
        default.make_dataset_iterator(dataset),
        default.make_input_fn_iterator(lambda context: dataset),
    ):
        assert iterator.get_next().numpy().tolist() == [0, 1]
        assert iterator.get_next().numpy().tolist() == [2, 3]
        assert iterator.initialize() == []
        assert iterator.get_next().numpy().tolist() == [0, 1]


def test_a_dataset_of_numpy_arrays(strategy):
    dataset = strategy.experimental_make_numpy_dataset(np.arange(4, dtype=np.int32)).batch(2)
    distributed = strategy.experimental_distribute_dataset(dataset)
    assert [copies(strategy, element) for element in distributed] == [[[0], [1]], [[2], [3]]]


def test_each_workers_data_ends_by_itself(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    extended = tf.distribute.experimental.MultiWorkerMirroredStrategy().extended
    assert not extended.experimental_enable_get_next_as_optional
    assert tf.distribute.MirroredStrategy().extended.experimental_enable_get_next_as_optional


@called
@pytest.mark.parametrize("options", [{}, {"fused": False}, {"renorm": True, "fused": False}])
def test_averages_of_batch_normalization_stay_where_a_replica_has_no_batch(strategy, options, call):
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


def test_a_function_makes_variables_with_the_creators_around_it():
    made = []

    def creator(next_creator, **kwargs):
        made.append(kwargs["name"])
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
    assert made == ["lifted"]
