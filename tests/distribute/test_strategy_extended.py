"""The base class of strategies and its abstract methods: TensorFlow 1.15.5's StrategyExtended."""

import inspect

import numpy as np
import pytest

import tfmini as tf

BROUGHT = [
    *(
        "_broadcast_to",
        "_call_for_each_replica",
        "_create_variable",
        "_experimental_distribute_dataset",
    ),
    *("_experimental_distribute_datasets_from_function", "_experimental_make_numpy_dataset"),
    *("_experimental_run_steps_on_iterator", "_local_results", "_make_dataset_iterator"),
    *(
        "_make_input_fn_iterator",
        "_num_replicas_in_sync",
        "_reduce_to",
        "_update",
        "_update_non_slot",
    ),
    *(
        "experimental_between_graph",
        "experimental_should_init",
        "non_slot_devices",
        "parameter_devices",
    ),
    *("read_var", "should_checkpoint", "should_save_summary", "value_container", "worker_devices"),
]


@pytest.mark.parametrize("name", BROUGHT)
def test_abstract_methods(name):
    extended = tf.distribute.StrategyExtended(tf.distribute.get_strategy())
    with pytest.raises(NotImplementedError, match="^must be implemented in descendants$"):
        method = getattr(extended, name)
        expected = inspect.signature(method).parameters.values()
        method(*[None for each in expected if each.kind is not each.VAR_KEYWORD])


@pytest.fixture(params=["default", "one", "mirrored"])
def strategy(request):
    with tf.Graph().as_default():
        if request.param == "default":
            yield tf.distribute.get_strategy()
        elif request.param == "one":
            yield tf.distribute.OneDeviceStrategy("/cpu:0")
        else:
            yield tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def count(strategy):
    return strategy.num_replicas_in_sync


TWO = tf.ConfigProto(device_count={"CPU": 2})


def test_numpy_dataset_variables_are_not_trainable(strategy):
    rows = {"x": np.arange(6.0).reshape(3, 2), "y": np.array([1, 2, 3])}
    with strategy.scope(), tf.Session(config=TWO) as session:
        dataset = strategy.experimental_make_numpy_dataset(rows, session)
        following = tf.data.make_initializable_iterator(dataset)
        row = following.get_next()
        session.run(following.initializer)
        for i in range(3):
            result = session.run(row)
            assert result["x"].tolist() == rows["x"][i].tolist()
            assert result["y"] == rows["y"][i]
    assert tf.trainable_variables() == []


OF_DESCENDANTS = (
    *("experimental_between_graph", "experimental_should_init"),
    *("should_checkpoint", "should_save_summary"),
)


def test_strategy_properties(strategy):
    extended, name = strategy.extended, type(strategy).__name__
    options = tf.ConfigProto(inter_op_parallelism_threads=3)
    expected = tf.ConfigProto(
        inter_op_parallelism_threads=3, isolate_session_state=name == "MirroredStrategy"
    )
    assert strategy.update_config_proto(options) == expected
    assert not options.isolate_session_state
    assert extended.experimental_require_static_shapes is False
    with pytest.raises(RuntimeError, match="^Must only deepcopy DistributionStrategy.$"):
        strategy.__copy__()
    if name == "DefaultStrategy":
        for missing in OF_DESCENDANTS:
            with pytest.raises(NotImplementedError, match="^must be implemented in descendants$"):
                getattr(extended, missing)
        for missing in ("worker_devices", "parameter_devices"):
            text = rf"^{missing}\(\) method unsupported by default tf.distribute.Strategy.$"
            with pytest.raises(RuntimeError, match=text):
                getattr(extended, missing)
    else:
        assert [getattr(extended, each) for each in OF_DESCENDANTS] == [False, True, True, True]
        devices = tuple(f"/replica:0/task:0/device:CPU:{n}" for n in range(count(strategy)))
        assert extended.worker_devices == extended.parameter_devices == devices


@pytest.mark.parametrize("kind, expected", [("SUM", 3.0), ("MEAN", 1.5)])
def test_all_reduce_reaches_all_replicas(strategy, kind, expected):
    """Values 1 and 2; the gradient of a reduction is reduced too."""
    reduce_op = tf.distribute.ReduceOp[kind]

    def replica():
        context = tf.distribute.get_replica_context()
        x = tf.cast(context.replica_id_in_sync_group, tf.float32) + 1.0
        total, (pair,) = context.all_reduce(reduce_op, [x, [x * 10.0]])
        return total, pair, tf.gradients(total, x)[0]

    with strategy.scope(), tf.Session(config=TWO) as session:
        actual = strategy.experimental_run_v2(replica)
        actual = [session.run(list(strategy.experimental_local_results(each))) for each in actual]
    n = count(strategy)
    total = expected if n == 2 else 1.0
    gradient = 2.0 if n == 2 and kind == "SUM" else 1.0
    assert actual == [[total] * n, [total * 10] * n, [gradient] * n]


def test_values_are_broadcast_and_updated(strategy):
    extended = strategy.extended
    with strategy.scope(), tf.Session(config=TWO) as session:
        variable, constant = tf.Variable(2.0, use_resource=True), tf.constant(3.0)
        if type(strategy).__name__ == "DefaultStrategy":
            with pytest.raises(NotImplementedError, match="^TODO$"):
                extended.broadcast_to(constant, destinations=variable)
            copies = constant
        else:
            copies = extended.broadcast_to(constant, destinations=variable)
            assert len(strategy.experimental_local_results(copies)) == count(strategy)
        updates = extended.update(variable, lambda v, x: v.assign_add(x), args=(copies,))
        each = extended.update(
            variable, lambda v, x: v.assign_add(x), kwargs={"x": copies}, group=False
        )
        devices = extended.non_slot_devices([variable])
        apart = extended.update_non_slot(devices, lambda x: x * 2.0, args=(constant,), group=False)
        session.run(tf.global_variables_initializer())
        session.run(updates)
        assert session.run(extended.read_var(variable)) == 5.0
        session.run(list(strategy.experimental_local_results(each)))
        assert session.run(extended.read_var(variable)) == 8.0
        assert session.run(apart) == (6.0,) * count(strategy)
        assert extended.value_container(variable) is variable
        assert extended.variable_created_in_scope(variable)


def test_foreign_variable_is_rejected(strategy):
    with pytest.raises(AttributeError, match="_distribute_strategy"):
        strategy.extended.variable_created_in_scope(3)
