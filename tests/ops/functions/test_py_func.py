"""py_func: the function's arguments, valid return values, error propagation."""

import gc
import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


def test_function_arguments():
    collected = []
    inputs = [1.5, [2.0], "abc", ["a", "bc"], True, tf.constant(3, tf.int64), tf.zeros([0, 2])]
    run(tf.py_func(lambda *values: collected.extend(values), inputs, []))
    assert [getattr(value, "dtype", type(value)) for value in collected] == [
        np.dtype("f4"), np.dtype("f4"), bytes, np.dtype("O"), np.dtype("?"), np.dtype("i8"),
        np.dtype("f4"),
    ]  # fmt: skip
    assert [np.shape(value) for value in collected] == [(), (1,), (), (2,), (), (), (0, 2)]
    assert collected[3].tolist() == [b"a", b"bc"]


def test_function_may_modify_its_arguments():
    x = tf.placeholder(tf.float32, [2])

    def add_one(array):
        array += 1
        return array

    constant = tf.constant([5.0, 6.0])
    fed = np.array([1.0, 2.0], "f")
    results = [tf.py_func(add_one, [t], tf.float32) for t in (x, constant)]
    actual = run([*results, x, constant], {x: fed})
    np.testing.assert_array_equal(actual, [[2, 3], [6, 7], [1, 2], [5, 6]])
    np.testing.assert_array_equal(fed, [1, 2])


def test_returned_values_are_copied():
    retained = np.zeros(2, "f")

    def count():
        retained[:] += 1
        return retained

    result = tf.py_func(count, [], tf.float32)
    with tf.Session() as session:
        first, doubled = session.run([result, result * 2.0])
        session.run(result)
    np.testing.assert_array_equal(first, [1, 1])
    np.testing.assert_array_equal(doubled, [2, 2])


@pytest.mark.parametrize(
    ("returned", "dtype", "expected"),
    [
        (np.float32(1), tf.float32, 1),
        (1.0, tf.float64, 1),
        (1, tf.int64, 1),
        (True, tf.bool, True),
        (1 + 2j, tf.complex128, 1 + 2j),
        ([[1.0, 2.0]], tf.float64, [1, 2]),
        (np.arange(6).reshape(2, 3).T, tf.int64, [[0, 3], [1, 4], [2, 5]]),
        (np.array([1, 2], ">f4"), tf.float32, [1, 2]),
        ("abc", tf.string, b"abc"),
        (b"abc", tf.string, b"abc"),
        ([["a", "bc"]], tf.string, [b"a", b"bc"]),
        (["é"], tf.string, "é".encode()),
        (np.array([b"a", "u"], object), tf.string, [b"a", b"u"]),
    ],
)
def test_valid_return_values(returned, dtype, expected):
    actual = run(tf.py_func(lambda: returned, [], dtype))
    np.testing.assert_array_equal(actual, expected)
    if dtype is not tf.string:
        assert actual.dtype == dtype.as_numpy_dtype


def test_multiple_and_empty_results():
    one, two = tf.py_func(lambda: (np.float32(1), b"x"), [], [tf.float32, tf.string])
    assert run([one, two]) == [1, b"x"]
    assert one.shape.ndims is None
    nothing = tf.py_func(lambda: None, [], [])
    assert nothing.type == "PyFunc"
    assert run(nothing) is None
    assert tf.py_func(lambda: None, [], [], stateful=False) == []


@pytest.mark.parametrize(
    ("returned", "error", "text"),
    [
        (
            1.0,
            tf.errors.InvalidArgumentError,
            r"0-th value returned by pyfunc_\d+ is double, but e",
        ),
        (
            None,
            tf.errors.InvalidArgumentError,
            r"pyfunc_\d+ returns 0 values, but expects to see 1 v",
        ),
        (
            [1, 2],
            tf.errors.InvalidArgumentError,
            r"pyfunc_\d+ returns 2 values, but expects to see ",
        ),
        ({}, tf.errors.InternalError, "^Unsupported object type dict\n"),
        ([[[1], "a"]], tf.errors.InvalidArgumentError, "^ValueError: setting an array element"),
    ],
)
def test_invalid_return_values(returned, error, text):
    with pytest.raises(error, match=text):
        run(tf.py_func(lambda: returned, [], tf.float32))


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (TypeError, tf.errors.InvalidArgumentError),
        (ValueError, tf.errors.InvalidArgumentError),
        (StopIteration, tf.errors.OutOfRangeError),
        (MemoryError, tf.errors.ResourceExhaustedError),
        (NotImplementedError, tf.errors.UnimplementedError),
        (RuntimeError, tf.errors.UnknownError),
        (KeyError, tf.errors.UnknownError),
        (SystemExit, tf.errors.UnknownError),
    ],
)
def test_exceptions_map_to_library_errors(raised, error):
    def fail():
        raise raised("hint")

    result = tf.py_func(fail, [], tf.float32, name="failing")
    with tf.Session() as session:
        with pytest.raises(error) as caught:
            session.run(result)
        assert session.run(tf.constant(1)) == 1
    assert caught.type is error
    assert caught.value.op is result.op
    head, trace = caught.value.message.split("\nTraceback (most recent call last):\n")
    assert head == f"{raised.__name__}: {raised('hint')}"
    assert ", in fail\n" in trace
    assert "[[node failing (defined at " in trace


def test_keyboard_interrupt_propagates():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tf.py_func(interrupt, [], tf.float32))


def test_graph_keeps_function_alive():
    graph = tf.Graph()
    with graph.as_default():
        result = tf.py_func(lambda: np.float32(1), [], tf.float32, name="result")
    definition = graph.as_graph_def()
    gc.collect()
    with tf.Session(graph=graph) as session:
        assert session.run(result) == 1
    with tf.Graph().as_default():
        (copy,) = tf.import_graph_def(definition, return_elements=["result:0"])
        assert run(copy) == 1  # the function is alive: its graph is
        del graph, result, session
        gc.collect()
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"^ValueError: callback pyfunc_\d+ is not found\n"
        ):
            run(copy)


def test_function_may_run_sessions_and_block():
    other = tf.Graph()
    with other.as_default():
        seven = tf.constant(7.0)
    reached = threading.Event()
    with tf.Session() as session:
        x = tf.placeholder(tf.float32, [])

        def waiting(value):
            if value == 1:
                assert reached.wait(20)
            else:
                reached.set()
            with tf.Session(graph=other) as inner:
                return inner.run(seven) + value

        result = tf.py_func(waiting, [x], tf.float32)
        actual = []
        thread = threading.Thread(target=lambda: actual.append(session.run(result, {x: 1.0})))
        thread.start()
        actual.append(session.run(result, {x: 2.0}))
        thread.join()
    assert sorted(actual) == [8, 9]


def test_py_func_has_no_gradient():
    x = tf.constant(1.0)
    assert tf.gradients(tf.py_func(lambda a: a, [x], tf.float32), x) == [None]
