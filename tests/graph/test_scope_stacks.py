"""Device scopes: return values of device functions, and nesting."""

import functools
import threading

import pytest

import tfmini as tf
from tfmini._src.graph.device_spec import DeviceScope


class Chooser:
    """Device functions as a method and as a callable object."""

    def __call__(self, node):
        return "/cpu:0"

    choose = __call__


def first_line(function):
    return f"<{__file__}, {function.__code__.co_firstlineno}>"


@pytest.mark.parametrize(
    "function, text",
    [
        (first_line, "first_line" + first_line(first_line)),
        (Chooser(), str(Chooser) + first_line(Chooser.__call__)),
        (Chooser().choose, "Chooser.__call__" + first_line(Chooser.choose)),
        (functools.partial(first_line), "<class 'functools.partial'><unknown, -1>"),
        (len, "<class 'builtin_function_or_method'><unknown, -1>"),
        ("a".strip, "<class 'builtin_function_or_method'><unknown, -1>"),
    ],
)
def test_function_in_errors(function, text):
    """The texts are TensorFlow 1.15.5's display names."""
    assert str(DeviceScope(function, None)) == text


@pytest.mark.parametrize("result", ["/cpu:0", b"/cpu:0"])
def test_string_specs(result):
    with tf.device(lambda node: result):
        assert tf.constant(1.0).device == "/cpu:0"


def test_device_blocks_nest():
    graph = tf.Graph()
    outer, inner = graph.device("/cpu:0"), graph.device("/gpu:0")
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(RuntimeError, match="^Exiting device scope without proper scope nesting.$"):
        outer.__exit__(None, None, None)


def test_control_dependency_blocks_nest():
    graph = tf.Graph()
    outer, inner = graph.control_dependencies([]), graph.control_dependencies([])
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(
        AssertionError, match="^control_dependencies blocks must be exited in reverse order.$"
    ):
        outer.__exit__(None, None, None)


def test_blocks_are_per_thread():
    """As in TensorFlow, a thread starts with the scopes open at the switch, and keeps its own scopes private."""
    graph, there, go_on = tf.Graph(), threading.Event(), threading.Event()
    devices = {}

    def other():
        with graph.as_default(), graph.device("/device:GPU:1"):
            there.set()
            go_on.wait(60)
            devices["other"] = tf.constant(1).device

    with graph.as_default(), graph.device("/job:worker"):
        graph.switch_to_thread_local()
        thread = threading.Thread(target=other)
        with graph.device("/device:CPU:3"):
            thread.start()
            assert there.wait(60)
            devices["this"] = tf.constant(1).device
            go_on.set()
        thread.join()
    assert devices == {
        "this": "/job:worker/device:CPU:3",
        "other": "/job:worker/device:GPU:1",
    }


def test_node_proxies_receive_device():
    class Captured:
        device = None

        def _set_device_from_string(self, device):
            self.device = device

    def captured():
        captured = Captured()
        tf.get_default_graph()._apply_device_functions(captured)
        return captured.device

    assert captured() is None
    with tf.device("/gpu:1"):
        assert captured() == "/device:GPU:1"
        with tf.device("/job:w"):
            assert captured() == "/job:w/device:GPU:1"
        with tf.device(None), tf.device("/cpu:0"):
            assert captured() == "/device:CPU:0"
    with tf.device(lambda node: "/cpu:2"):
        assert captured() == "/cpu:2"
