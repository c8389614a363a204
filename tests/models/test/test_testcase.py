"""tf.test.TestCase: test graphs and sessions, threads, captured streams, assertions."""

import random
import sys
import threading
import unittest

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.eager import execution_mode
from tfmini._src.session.eager.enable import eager_mode

# First random numbers in a TensorFlow 1.15.5 test: random.random(), np.random.rand(), tf.random_normal([]).
FIRST_NUMBERS = (0.3499765785632496, 0.18463433217903202, 1.0616621)


def test_setup_keeps_the_mode(monkeypatch):
    """tensor2tensor's decorators call it inside a graph of an eager program, between the two runs of a test."""
    case = SessionsTest("test_separate_graph")
    with monkeypatch.context() as patch:
        patch.setattr(execution_mode, "is_default", True)
        with tf.Graph().as_default() as graph:
            case.setUp()
            assert not tf.executing_eagerly() and tf.get_default_graph() is not graph
            with case.test_session() as session:
                assert session.run(tf.constant(1) + 1) == 2
    assert not tf.executing_eagerly()
    with eager_mode():
        case.setUp()
        assert tf.executing_eagerly()
    assert not tf.executing_eagerly()


class SessionsTest(tf.test.TestCase):
    def test_each_test_starts_with_empty_graph_and_seeds(self):
        self.assertEqual(tf.get_default_graph().get_operations(), [])
        self.assertEqual(tf.get_default_graph().seed, 87654321)
        first = random.random(), np.random.rand()
        with self.session() as session:
            numbers = (*first, session.run(tf.random_normal([])))
        self.assertAllClose(numbers, FIRST_NUMBERS, rtol=1e-5)

    def test_session_is_default_and_placed_on_cpu(self):
        with self.session() as session:
            x = tf.constant(2.0)
            self.assertIs(tf.get_default_session(), session)
            self.assertEqual(x.eval(), 2.0)
            self.assertDeviceEqual(x.device, "/device:CPU:0")
        with self.session(use_gpu=True):
            self.assertEqual(tf.constant(2.0).device, "")
        with self.session(force_gpu=True):
            self.assertDeviceEqual(tf.constant(2.0).device, "/gpu:0")

    def test_separate_graph(self):
        graph = tf.Graph()
        with self.session(graph=graph), self.test_session(graph=graph) as session:
            self.assertIs(tf.constant(1).graph, graph)
            self.assertIs(session.graph, graph)

    def test_cached_session_keeps_variables(self):
        with self.cached_session() as session:
            v = tf.Variable(3.0)
            session.run(v.initializer)
        with self.cached_session() as again:
            self.assertIs(again, session)
            self.assertEqual(v.eval(), 3.0)
        with self.test_session(config=tf.ConfigProto()) as same:
            self.assertIs(same, session)
        for arguments in ({"graph": tf.Graph()}, {"config": tf.ConfigProto()}, {"force_gpu": True}):
            with self.assertRaisesRegex(ValueError, "used to get the cached session is different"):
                with self.cached_session(**arguments):
                    pass

    def test_evaluate(self):
        self.assertEqual(self.evaluate({"a": tf.constant(1)}), {"a": 1})
        with self.session():
            self.assertAllEqual(self.evaluate([tf.constant([1, 2])])[0], [1, 2])

    def test_temporary_directory(self):
        self.assertEqual(self.get_temp_dir(), self.get_temp_dir())
        self.assertStartsWith(self.get_temp_dir(), tf.test.get_temp_dir())

    def test_checked_threads(self):
        ran = threading.Event()
        thread = self.checkedThread(ran.set)
        thread.start()
        thread.join()
        self.assertTrue(ran.is_set())
        self.assertFalse(thread.is_alive())


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        (lambda t: t.assertProtoEquals(tf.GraphDef(), tf.ConfigProto()), "Can't compare protos"),
        (lambda t: t.assertProtoEquals("wall_time: 2.5", tf.Event(wall_time=2.500001)), "2.500001"),
    ],
)
def test_failing_proto_assertions(assertion, message):
    with pytest.raises(AssertionError, match=message):
        assertion(SessionsTest("test_evaluate"))


def run(body):
    """The result of a test case with `body` as its only test."""
    case = type("OneTest", (tf.test.TestCase,), {"test_it": body})("test_it")
    result = unittest.TestResult()
    case.run(result)
    return result


def test_unjoined_threads_fail():
    def left(self):
        self.checkedThread(lambda: None).start()

    def failing(self):
        thread = self.checkedThread(lambda: 1 / 0)
        thread.start()
        thread.join()

    assert "A checked thread was not joined." in run(left).failures[0][1]
    assert "Error in checkedThread: division by zero" in run(failing).failures[0][1]


def test_writes_are_captured(capfd):
    texts = []

    def writes(self):
        with self.captureWritesToStream(sys.stderr) as captured:
            with self.session():
                tf.Print(1.0, ["printed"]).eval()
        texts.append(captured.contents())

    with capfd.disabled():
        assert run(writes).wasSuccessful()
    assert texts == ["[printed]\n"]


def test_session_method_is_skipped():
    result = unittest.TestResult()
    SessionsTest("test_session").run(result)
    assert [reason for _, reason in result.skipped] == ["Not a test."]
