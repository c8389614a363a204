"""`py_function`, `numpy_function` and `py_func` in dataset functions, in graph mode; TensorFlow's texts."""

import gc
import re
import sys
import warnings
import weakref

import numpy as np
import pytest

import tfmini as tf

Range = tf.data.Dataset.range

CALLS = [tf.py_function, tf.numpy_function, tf.py_func]

PARALLEL = [None, 3, tf.data.experimental.AUTOTUNE]

INVALID = tf.errors.InvalidArgumentError


def steps(dataset):
    """The result of each step up to the end of the dataset: an element or an error."""
    iterator = tf.data.make_initializable_iterator(dataset)
    following, result = iterator.get_next(), []
    with tf.Session() as session:
        session.run(iterator.initializer)
        while True:
            try:
                result.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return result
            except tf.errors.OpError as error:
                result.append(error)


@pytest.mark.parametrize("parallel", PARALLEL)
def test_py_function_receives_eager_tensors(parallel):
    def halves(x):
        assert tf.executing_eagerly()
        return x.numpy() // 2, tf.cast(x, tf.float32) / 2

    dataset = Range(4).map(lambda x: tf.py_function(halves, [x], [tf.int64, tf.float32]), parallel)
    assert steps(dataset) == [(0, 0), (0, 0.5), (1, 1), (1, 1.5)]


@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("call", CALLS[1:])
def test_numpy_functions_receive_arrays(call, parallel):
    def halves(x):
        assert type(x) is np.int64 and not tf.executing_eagerly()
        return x // 2, np.float32(x) / np.float32(2)

    dataset = Range(4).map(lambda x: tuple(call(halves, [x], [tf.int64, tf.float32])), parallel)
    assert steps(dataset) == [(0, 0), (0, 0.5), (1, 1), (1, 1.5)]


@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "raised, kind", [(ValueError, INVALID), (KeyError, tf.errors.UnknownError)]
)
def test_failing_element_does_not_end_iteration(call, parallel, raised, kind):
    def fails_for_two(x):
        if int(x) == 2:
            raise raised("told")
        return x

    result = steps(Range(4).map(lambda x: call(fails_for_two, [x], tf.int64), parallel))
    error = result.pop(2)
    assert result == [0, 1, 3] and type(error) is kind
    message = re.escape(f"{raised.__name__}: {raised('told')}")
    node = "EagerPyFunc" if call is tf.py_function else "PyFunc"
    text = (
        rf"\{{\{{function_node __inference_Dataset_map_<lambda>_\d+\}}\}} {message}\n"
        r"Traceback \(most recent call last\):\n\n"
        rf"(  File .*\n\n)+{message}\n\n\n\t \[\[node {node} .*\]\]\n\t \[\[node IteratorGetNext .*\]\]"
    )
    assert re.fullmatch(text, error.message, re.DOTALL)


@pytest.mark.parametrize("call", CALLS)
def test_stop_iteration_ends_dataset(call):
    def ends_at_two(x):
        if int(x) == 2:
            raise StopIteration
        return x

    assert steps(Range(4).map(lambda x: call(ends_at_two, [x], tf.int64), 2)) == [0, 1]


@pytest.mark.parametrize(
    "call, returned, text",
    [
        (tf.numpy_function, 0.5, r"0-th value returned by pyfunc_\d+ is double, but expects int64"),
        (
            tf.py_function,
            tf.float32,
            "ValueError: Tensor conversion requested dtype int64 for Tensor w",
        ),
        (tf.numpy_function, (1, 1), r"pyfunc_\d+ returns 2 values, but expects to see 1 values\."),
        (tf.py_function, None, r"pyfunc_\d+ returns 0 values, but expects to see 1 values\."),
    ],
)
def test_mismatched_results_are_refused(call, returned, text):
    def function(x):
        return tf.cast(x, returned) if returned is tf.float32 else returned

    (error,) = steps(Range(1).map(lambda x: call(function, [x], tf.int64)))
    assert type(error) is INVALID
    assert re.match(
        r"\{\{function_node __inference_Dataset_map_<lambda>_\d+\}\} " + text, error.message
    )


def test_py_function_results_are_cast():
    dataset = Range(2).map(lambda x: tf.py_function(lambda a: (a.numpy() + 0.5, a), [x], tf.int64))
    assert steps(dataset) == [0, 1]  # numbers are converted, extra results dropped


def test_error_names_every_enclosing_function():
    """Also for nodes that create datasets: a scalar has no rows."""

    def rows(x):
        return tf.data.Dataset.from_tensor_slices(tf.numpy_function(lambda a: a, [x], tf.int64))

    flat = Range(1).flat_map(lambda x: rows(x))
    (error,) = steps(flat)
    assert re.match(
        r"\{\{function_node __inference_Dataset_flat_map_<lambda>_\d+\}\} All components must be",
        error.message,
    )
    invalid = Range(1).map(
        lambda x: Range(1).reduce(x, lambda _, y: tf.numpy_function(lambda a: 0.5, [y], tf.int64))
    )
    (error,) = steps(invalid)
    assert re.match(
        r"\{\{function_node __inference_Dataset_map_<lambda>_\d+\}\} "
        r"\{\{function_node __inference_reduce_<lambda>_\d+\}\} 0-th value returned by pyfunc",
        error.message,
    )


def test_generator_is_collected_with_its_graph(monkeypatch):
    """Its finalizer function is already freed: Python would print the finalizer's error, which nobody can handle."""
    shown = []
    monkeypatch.setattr(sys, "unraisablehook", lambda result: shown.append(result.exc_value))
    with tf.Graph().as_default() as graph:
        dataset = tf.data.Dataset.from_generator(lambda: iter(range(3)), tf.int64)
        following = tf.data.make_one_shot_iterator(dataset).get_next()
        graph.session = tf.Session()  # a reference cycle: the collector frees both
        assert graph.session.run(following) == 0
    freed = []
    weakref.finalize(graph, freed.append, True)
    del graph, dataset, following
    gc.collect()
    assert (freed, shown) == ([True], [])


def test_unseeded_random_op_inherits_graph_seed_with_warning():
    def shuffled(x):
        return tf.random.shuffle([x, x + 1])

    tf.set_random_seed(10)
    with pytest.warns(UserWarning, match="^Seed 10 from outer .*by function Dataset_map_shuffled,"):
        Range(3).map(shuffled)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Range(3).map(lambda x: tf.random.shuffle([x, x + 1], seed=3))
        tf.set_random_seed(None)
        Range(3).map(shuffled)
