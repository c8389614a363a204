"""tf.test: accepted and rejected arguments of each assertion, messages; evaluation, seeds, folders, cached sessions."""

import collections
import os

import numpy as np

from tests.conformance.scenes import in_own_graph


def _case(tf):
    class Case(tf.test.TestCase):
        def runTest(self):
            pass

    made = Case()
    made.setUp()
    return made


def _passed(stage, *functions):
    """Records which functions pass, and the first line of the others' errors."""
    for function in functions:
        try:
            function()
            stage.say("passed")
        except Exception as error:
            lines = [line.strip() for line in str(error).split("\n") if line.strip()]
            stage.say("!!", type(error).__name__, lines[0] if lines else "")


_NAN, _INF = float("nan"), float("inf")


@in_own_graph
def of_arrays(tf, stage):
    case = _case(tf)
    near, close = case.assertNear, case.assertAllClose
    pair = collections.namedtuple("pair", "a b")
    _passed(
        stage,
        lambda: near(1.0, 1.25, 0.25),
        lambda: near(1.0, 1.5, 0.25),
        lambda: near(1.0, 1.5, 0.25, "mine"),
        lambda: near(_INF, _INF, 0.1),
        lambda: near(_NAN, _NAN, 0.1),
        lambda: near(np.array([1.0]), 1.0, 0.0),
        lambda: case.assertArrayNear([1.0, 2.0], [1.0, 2.5], 0.5),
        lambda: case.assertArrayNear([1.0, 2.0], [1.0, 3.0], 0.5),
        lambda: case.assertArrayNear([1.0], [1.0, 3.0], 0.5),
        lambda: case.assertNDArrayNear(np.ones(4), np.zeros(4), 2.5),
        lambda: case.assertNDArrayNear(np.ones(4), np.zeros(4), 2.0),
        lambda: close([1.0, 2.0], [1.0, 2.0 + 1e-7]),
        lambda: close([1.0, 2.0], [1.0, 2.1]),
        lambda: close([1.0, 2.0], [1.0, 2.1], 0.1),
        lambda: close([1.0, 0.0], [1.0, 0.1], 0.0, 0.2),
        lambda: close([1.0], [1.0, 2.0]),
        lambda: close(1.0, [1.0]),
        lambda: close(_NAN, _NAN),
        lambda: close([_INF, 1.0], [_INF, 1.0]),
        lambda: close([_INF, 1.0], [-_INF, 1.0]),
        lambda: close({"a": 1.0}, {"a": 1.0}),
        lambda: close({"a": 1.0}, {"a": 2.0}),
        lambda: close({"a": 1.0}, {"b": 1.0}),
        lambda: close({"a": 1.0}, [1.0]),
        lambda: close([{"a": [1.0]}], [{"a": [1.5]}]),
        lambda: close([{}], [{}, {}]),
        lambda: close(pair(1.0, [2.0]), pair(1.0, [2.0])),
        lambda: close(pair(1.0, 2.0), {"a": 1.0, "b": 2.5}),
        lambda: close([[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]]),
        lambda: close([[1.0], [1.0, 2.0]], [[1.0], [1.0, 3.0]]),
        lambda: close(np.ones([2, 2]), [[1, 1], [1, 1]]),
        lambda: case.assertNotAllClose([1.0], [1.0]),
        lambda: case.assertNotAllClose([1.0], [1.1]),
        lambda: case.assertNotAllClose([1.0], [1.1], rtol=0.2),
        lambda: case.assertNotAllClose([1.0], [1.0, 1.0]),
    )
    kind = case.assertAllCloseAccordingToType
    for dtype in (np.float16, np.float32, np.float64, np.complex64):
        one = np.array([1.0], dtype)
        _passed(
            stage,
            lambda: kind(one, one + dtype(5e-4)),  # noqa: B023  called here
            lambda: kind(one, one + dtype(5e-3)),  # noqa: B023
            lambda: kind(one, one + dtype(2e-6)),  # noqa: B023
            lambda: kind(one, one + dtype(0.25), half_atol=0.5, float_rtol=0.5),  # noqa: B023
            lambda: kind(one, one.astype(np.float16) + np.float16(1e-3)),  # noqa: B023
        )
    _passed(
        stage,
        lambda: kind(tf.cast([1.0], tf.bfloat16).dtype.as_numpy_dtype(1.0), 1.015),
        lambda: kind(1.0, 1.5, rtol=0.5),
        lambda: case.assertAllEqual([1, 2], [1, 2]),
        lambda: case.assertAllEqual([1, 2], [1, 3]),
        lambda: case.assertAllEqual([1, 2], [1, 3], "mine"),
        lambda: case.assertAllEqual([1, 2], [1]),
        lambda: case.assertAllEqual(1, 2),
        lambda: case.assertAllEqual([_NAN], [_NAN]),
        lambda: case.assertAllEqual(["a", "b"], ["a", "b"]),
        lambda: case.assertAllEqual([b"a"], ["a"]),
        lambda: case.assertAllEqual([], []),
        lambda: case.assertAllEqual(np.zeros([0, 2]), np.zeros([0])),
        lambda: case.assertAllEqual(np.zeros([2, 3, 2, 2]), np.zeros([1])),
        lambda: case.assertNotAllEqual([1, 2], [1, 3]),
        lambda: case.assertNotAllEqual([1, 2], [1, 2]),
        lambda: case.assertNotAllEqual([1, 2], [1]),
        lambda: case.assertAllGreater([2, 3], 1),
        lambda: case.assertAllGreater([2, 3], 2),
        lambda: case.assertAllGreaterEqual([2, 3], 2),
        lambda: case.assertAllGreaterEqual([2, 3], 3),
        lambda: case.assertAllLess([2, 3], 4),
        lambda: case.assertAllLess([2, 3], 3),
        lambda: case.assertAllLessEqual([2, 3], 3),
        lambda: case.assertAllLessEqual([2, 3], 2),
        lambda: case.assertAllInRange([2, 3], 2, 3),
        lambda: case.assertAllInRange([2, 3], 2, 3, open_lower_bound=True),
        lambda: case.assertAllInRange([2, 3], 2, 3, open_upper_bound=True),
        lambda: case.assertAllInRange([[2.0, 3.0], [4.0, 9.0]], 2.5, 5.0),
        lambda: case.assertAllInRange([_NAN, 3.0], 2, 3),
        lambda: case.assertAllInRange(["a"], 2, 3),
        lambda: case.assertAllInRange(np.arange(20), 18, 30),
        lambda: case.assertAllInSet([1, 2, 1], {1, 2}),
        lambda: case.assertAllInSet([1, 2, 5], [1, 2]),
        lambda: case.assertDTypeEqual(np.ones(2), np.float64),
        lambda: case.assertDTypeEqual(np.ones(2, np.float32), np.float64),
        lambda: case.assertDTypeEqual(np.ones(2), "float64"),
        lambda: case.assertShapeEqual(np.ones([2, 3]), tf.ones([2, 3])),
        lambda: case.assertShapeEqual(np.ones([2, 3]), tf.ones([3, 2])),
        lambda: case.assertShapeEqual([1], tf.ones([1])),
        lambda: case.assertShapeEqual(np.ones(1), np.ones(1)),
        lambda: case.assertShapeEqual(np.ones(1), tf.placeholder(tf.float32)),
        lambda: case.assertBetween(2, 1, 3),
        lambda: case.assertStartsWith("abc", "ab"),
        lambda: case.assertStartsWith("abc", "b"),
        lambda: case.assertStartsWith("abc", "b", "mine"),
        lambda: case.assertItemsEqual([2, 1], [1, 2]),
    )


@in_own_graph
def of_graphs(tf, stage):
    case = _case(tf)
    a = tf.constant([1.0, 2.0], name="a")
    with tf.device("/cpu:0"):
        b = tf.add(a, 1.0, name="b")
    definition = tf.get_default_graph().as_graph_def()

    def raises(error, text=""):
        raise error(text)

    def failing(text):
        tf.Session().run(tf.Assert(False, [text]))

    def with_raises(kind, match, function):
        with case.assertRaisesRegexp(kind, match):
            function()

    def with_op_error(match, function):
        with case.assertRaisesOpError(match):
            function()

    def with_predicate(kind, predicate, function):
        with case.assertRaisesWithPredicateMatch(kind, predicate):
            function()

    _passed(
        stage,
        lambda: tf.test.assert_equal_graph_def(definition, definition),
        lambda: tf.test.assert_equal_graph_def(definition, 3),
        lambda: case.assertProtoEquals(tf.ConfigProto(), tf.ConfigProto()),
        lambda: case.assertProtoEquals("inter_op_parallelism_threads: 2", tf.ConfigProto()),
        lambda: case.assertProtoEquals(3, tf.ConfigProto()),
        lambda: case.assertDeviceEqual("/cpu:0", "/device:CPU:0"),
        lambda: case.assertDeviceEqual("/cpu:0", b.device),
        lambda: case.assertDeviceEqual("/cpu:0", "/cpu:1"),
        lambda: with_raises(ValueError, "a.c", lambda: raises(ValueError, "abc")),
        lambda: with_raises(ValueError, "x", lambda: raises(ValueError, "abc")),
        lambda: with_raises(ValueError, "x", lambda: None),
        lambda: with_raises(ValueError, "x", lambda: raises(KeyError)),
        lambda: with_op_error("mine", lambda: failing("mine")),
        lambda: with_op_error("other", lambda: failing("mine")),
        lambda: with_op_error("mine", lambda: None),
        lambda: with_predicate(
            ValueError, lambda e: "b" in str(e), lambda: raises(ValueError, "b")
        ),
        lambda: with_predicate(
            ValueError, lambda e: "b" in str(e), lambda: raises(ValueError, "c")
        ),
        lambda: with_predicate(ValueError, "b+", lambda: raises(ValueError, "abbc")),
        lambda: with_predicate(ValueError, "x", lambda: raises(ValueError, "abbc")),
        lambda: with_predicate(ValueError, "x", lambda: None),
        lambda: with_predicate(ValueError, "x", lambda: raises(KeyError, "x")),
    )
    with case.test_session() as session:
        stage.say(session.run(b), case.evaluate(b), case.evaluate([a, {"x": b}]))
        _passed(
            stage,
            lambda: case.assertAllClose(a, [1.0, 2.0]),
            lambda: case.assertAllEqual(a, b),
            lambda: case.assertAllGreater(b, 1.5),
            lambda: case.assertDTypeEqual(a, np.float32),
            lambda: case.assertAllInRange(b, 0, 2.5),
            lambda: case.assertAllClose(
                tf.ragged.constant([[1.0], [2.0, 3.0]]), [[1.0], [2.0, 3.0]]
            ),
            lambda: case.assertAllEqual(tf.ragged.constant([[1], [2, 3]]), [[1], [2, 4]]),
        )
        stage.say(case.test_session() is not None, session.graph is tf.get_default_graph())
    with case.session(use_gpu=False) as session, case.cached_session() as other:
        stage.say(session is other, case.cached_session().__class__.__name__)
        with case.cached_session() as again:
            stage.say(again is other)
        _passed(stage, lambda: case.cached_session(graph=tf.Graph()).__enter__())
    stage.say(tf.get_default_graph().seed, np.random.randint(1000))
    stage.say(tf.test.is_gpu_available(), tf.test.gpu_device_name() or "-")
    folder = case.get_temp_dir()
    stage.say(os.path.isdir(folder), case.get_temp_dir() == folder)
    case.tearDown()


@in_own_graph
def stubs_and_gradients(tf, stage):
    stub = tf.test.StubOutForTesting()

    class Owner:
        value = 3

        def method(self):
            return 1

    stub.Set(Owner, "value", 4)
    stub.Set(Owner, "value", 5)
    stub.SmartSet(Owner, "method", lambda self: 2)
    stage.say(Owner.value, Owner().method())
    stub.UnsetAll()
    stage.say(Owner.value, Owner().method())
    stub.SmartUnsetAll()
    stage.say(Owner.value, Owner().method())
    stage.attempts(lambda: stub.SmartSet(Owner, "none", 1), stub.CleanUp)
    x = tf.constant([1.0, 2.0])
    gradient = tf.test.compute_gradient
    with tf.Session():
        stage.attempts(lambda: gradient(x, [2], tf.constant([1.0]), [1]))
