"""The context of eager mode: its devices, functions, mode and scopes."""

import pytest

import tfmini as tf
from tfmini._src.graph.eager import execution_mode
from tfmini._src.session.eager import context as contexts, executor
from tfmini._src.session.eager.enable import eager_mode, graph_mode

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.fixture(autouse=True)
def new_context():
    contexts.drop_context()
    yield contexts.context()
    contexts.drop_context()


def test_devices_initialize_once(new_context):
    assert not new_context.is_initialized and contexts.current_context() is new_context
    new_context.ensure_initialized()
    session = new_context.session
    new_context.ensure_initialized()
    assert new_context.is_initialized and new_context.session is session
    assert contexts.list_devices() == new_context.devices() == [CPU]
    assert contexts.num_gpus() == new_context.num_gpus() == 0


def test_reset_creates_new_devices(new_context):
    context = contexts.reset_context(tf.ConfigProto(device_count={"CPU": 2}))
    assert context is contexts.context() is not new_context
    assert context.devices() == [CPU, CPU[:-1] + "1"]
    assert contexts.reset_context().devices() == [CPU]


@pytest.mark.parametrize("end", [contexts.drop_context, contexts.reset_context])
def test_ops_and_state_move_to_new_context(eager, end):
    """Ops and function calls, which are compiled once per context, and their state."""

    def size_with(key, table):
        handle = tf.raw_ops.MutableHashTableV2(
            key_dtype=tf.string, value_dtype=tf.int64, shared_name=table
        )
        tf.raw_ops.LookupTableInsertV2(table_handle=handle, keys=key, values=tf.ones([], tf.int64))
        return tf.raw_ops.LookupTableSizeV2(table_handle=handle)

    called = tf.function(size_with)
    for of in (size_with, called):
        table = tf.constant(f"of {of}").numpy()
        assert [of(tf.constant(key), table).numpy() for key in "ab"] == [1, 2]
    end()
    for of in (size_with, called):
        table = tf.constant(f"of {of}").numpy()
        assert [of(tf.constant(key), table).numpy() for key in "cd"] == [1, 2]


@pytest.mark.parametrize(
    "asked, named",
    [("/cpu:1", CPU[:-1] + "1"), ("/gpu:0", CPU[:-5] + "GPU:0"), ("/device:CPU:*", CPU), ("", CPU)],
)
def test_device_names(new_context, asked, named):
    assert new_context.device_named(asked) == named


def test_missing_devices(new_context):
    new_context.soft_device_placement = True
    assert new_context.device_for("Add", "/gpu:3") == CPU
    for asked in ("/job:worker/cpu:0", "/task:2/cpu:0"):
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match="^Could not satisfy device specification .*Name: Add",
        ):
            new_context.device_for("Add", asked)


def test_modes_and_scopes(new_context):
    with tf.Graph().as_default():
        assert new_context.in_graph_mode() and not new_context.executing_eagerly()
        assert new_context.scope_name == "" and new_context.device_name == ""
        with eager_mode():
            assert not new_context.in_graph_mode() and new_context.in_eager_mode()
            with tf.name_scope("outer"), tf.name_scope("inner"):
                assert new_context.scope_name == "outer/inner/"
            with graph_mode():
                assert new_context.in_graph_mode() and execution_mode.executing_eagerly() is False
            assert new_context.in_eager_mode()


def test_context_function_library(new_context):
    with eager_mode():
        assert [x.numpy() for x in tf.data.Dataset.range(2).map(lambda x: x + 1)] == [1, 2]
        name = next(iter(new_context.library._functions))
        assert new_context.has_function(name) and new_context.has_function(name.encode())
        assert not new_context.has_function("none")


@pytest.mark.parametrize("is_async", [False, True])
def test_executors(is_async):
    result = executor.new_executor(is_async)
    assert result.is_async() is is_async
    assert [result.handle(), result.wait(), result.clear_error()] == [None] * 3
