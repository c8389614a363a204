"""`tensorflow.python.util`: decorators, locks and containers that libraries build on; settings that recipes assign."""

import gc
import threading
from unittest import mock

import pytest

import tfmini as tf
from tfmini._src.base import logs
from tfmini._src.base.names import deprecation

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_deprecation_warnings_can_be_disabled(monkeypatch):
    from tensorflow.python.util import deprecation as public

    monkeypatch.setattr(deprecation, "_warn", True)
    assert public._PRINT_DEPRECATION_WARNINGS is True
    public._PRINT_DEPRECATION_WARNINGS = False
    assert deprecation._warn is False
    del public._PRINT_DEPRECATION_WARNINGS
    assert deprecation._warn is True


def test_control_flow_v2_switch():
    from tensorflow.python.ops import control_flow_util

    assert control_flow_util.ENABLE_CONTROL_FLOW_V2 is False
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
    try:
        assert tf.control_flow_v2_enabled()
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
    assert not tf.control_flow_v2_enabled()
    with mock.patch.object(control_flow_util, "ENABLE_CONTROL_FLOW_V2", True):
        assert tf.control_flow_v2_enabled()
    assert control_flow_util.ENABLE_CONTROL_FLOW_V2 is False


def test_v2_dtype_behavior_switch():
    from tensorflow.python.keras.engine import base_layer_utils

    assert not base_layer_utils.v2_dtype_behavior_enabled()
    with mock.patch.object(base_layer_utils, "V2_DTYPE_BEHAVIOR", True):
        assert base_layer_utils.v2_dtype_behavior_enabled()
        assert tf.keras.layers.Dense(2).dtype == "float32"
        assert tf.layers.Dense(2).dtype is None
    assert tf.keras.layers.Dense(2).dtype is None


def test_saved_model_is_parsed(tmp_path):
    from tensorflow.python.saved_model.loader_impl import parse_saved_model

    with tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.float32, name="x")
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, {"y": x + 1})
    (graph,) = parse_saved_model(str(tmp_path / "m")).meta_graphs
    assert list(graph.meta_info_def.tags) == ["serve"]
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        parse_saved_model(str(tmp_path))


def test_python_loop_iteration_limit():
    from tensorflow.python.autograph.operators import control_flow

    before = control_flow.PYTHON_MAX_ITERATIONS
    control_flow.PYTHON_MAX_ITERATIONS = 5
    try:
        with pytest.raises(ValueError, match="^iteration limit exceeded$"):
            tf.autograph.to_graph(_count)(9)
        assert tf.autograph.to_graph(_count)(3) == 3
    finally:
        del control_flow.PYTHON_MAX_ITERATIONS
    assert control_flow.PYTHON_MAX_ITERATIONS == before and tf.autograph.to_graph(_count)(9) == 9


def _count(most):
    n = 0
    while n < most:
        n += 1
    return n


@pytest.mark.parametrize("name", ["debug", "error", "fatal", "info", "warn", "warning"])
def test_logging_functions_can_be_replaced(name):
    from tensorflow.python.platform import tf_logging

    messages, before = [], getattr(logs, name)
    assert getattr(tf_logging, name) is before
    with mock.patch.object(tf_logging, name, messages.append):
        getattr(logs, name)("it")
    assert messages == ["it"] and getattr(logs, name) is getattr(tf_logging, name) is before


def test_replaced_warning_receives_messages():
    from tensorflow.python.platform import tf_logging

    messages, before = [], logs.warning
    tf_logging.warning = lambda message, *args: messages.append(message % args)
    try:
        logs.warning("%s is late", "it")
    finally:
        del tf_logging.warning
    assert messages == ["it is late"]
    assert logs.warning is before


def test_docstring_notices():
    from tensorflow.python.util import decorator_utils

    def record(doc):
        return decorator_utils.add_notice_to_docstring(doc, "Walk.", "Nothing", "(old)", ["Slow"])

    below = "\n\nWarning: Slow\nWalk."
    assert record(None) == "Nothing" + below
    assert record("\n  Runs\n  ") == "Runs (old)" + below
    assert record("Runs\n\n  Args:\n    x: y") == f"Runs (old){below}\n\nArgs:\n  x: y"
    assert record("Runs\n  fast") == f"Runs (old){below}\n\nfast"
    with pytest.raises(ValueError, match="must not be empty"):
        decorator_utils.add_notice_to_docstring("a", "b", "c", "d", [])
    with pytest.raises(ValueError, match="7 is not a function"):
        decorator_utils.validate_callable(7, "old")


def test_lock_groups_are_shared():
    from tensorflow.python.util.lock_util import GroupLock

    lock = GroupLock(2)
    entered = threading.Event()

    def other():
        with lock.group(1):
            entered.set()

    with lock.group(0), lock.group(0):
        thread = threading.Thread(target=other)
        thread.start()
        assert lock._group_member_counts == [2, 0]
        assert not entered.is_set()
    thread.join(timeout=60)
    assert entered.is_set()
    with pytest.raises(ValueError, match="between 0 and num_groups=2"):
        lock.group(2)
    with pytest.raises(ValueError, match="positive integer, got 0"):
        GroupLock(0)


def test_identity_containers():
    from tensorflow.python.util import object_identity

    a, b = [1], [1]
    result = object_identity.ObjectIdentityDictionary()
    result[a], result[b] = "a", "b"
    assert (len(result), result[a], result[b]) == (2, "a", "b")
    del result[a]
    assert a not in result and list(result) == [b]
    both = object_identity.ObjectIdentitySet([a, b, a])
    assert len(both) == 2 and [1] not in both
    left = both.difference(object_identity.ObjectIdentitySet([b]))
    assert [x is a for x in left] == [True]
    assert object_identity.Reference(a).deref() is a
    with pytest.raises(TypeError, match="Cannot compare wrapped object"):
        assert object_identity.Reference(a) == a


def test_weak_containers_release_objects():
    from tensorflow.python.util import object_identity

    class Thing:
        pass

    retained, gone = Thing(), Thing()
    things = object_identity.ObjectIdentityWeakSet([retained, gone])
    values = object_identity.ObjectIdentityWeakKeyDictionary()
    values[retained], values[gone] = 1, 2
    del gone
    gc.collect()
    assert list(things) == [retained]
    assert list(values.items()) == [(retained, 1)]


def test_dispatch_extends_functions_to_types():
    from tensorflow.python.util import dispatch

    class Text(str):
        pass

    @dispatch.add_dispatch_support
    def double(x):
        return x + 0 + x

    with pytest.raises(TypeError, match=r'can only concatenate str \(not "int"\) to str'):
        double(Text("a"))

    @dispatch.dispatch_for_types(double, Text)
    def double_text(x):
        return f"{x}{x}"

    assert (double(2), double(Text("a"))) == (4, "aa")
    with pytest.raises(TypeError, match=r'can only concatenate str \(not "int"\) to str'):
        double("a")
    with pytest.raises(AssertionError, match="must exactly match"):
        dispatch.dispatch_for_types(double, Text)(lambda y: y)
    with pytest.raises(AssertionError, match="Dispatching not enabled"):
        dispatch.dispatch_for_types(tf.square, Text)(lambda x, name=None: x)


def test_tf_export_names():
    import sys

    from tensorflow.python.util import tf_export

    @tf_export.tf_export("nn.first", v1=["first"])
    def first():
        pass

    assert tf_export.get_v1_names(first) == ["first"]
    assert tf_export.get_v2_names(first) == ["nn.first"]
    with pytest.raises(
        tf_export.SymbolAlreadyExposedError,
        match=r"Symbol first is already exposed as \('nn.first',\).",
    ):
        tf_export.tf_export("other")(first)
    for export, name in (("tf_export", "keras.x"), ("estimator_export", "x")):
        with pytest.raises(tf_export.InvalidSymbolNameError, match=r"under .*(keras\.\*|not x\.)$"):
            getattr(tf_export, export)(name)
    tf_export.tf_export("SIZE").export_constant(__name__, "size")
    assert tf_export.get_v1_constants(sys.modules[__name__]) == [(("SIZE",), "size")]


def test_decorated_functions_are_rewrapped():
    from tensorflow.python.util import tf_decorator, tf_inspect

    def plus_one(target):
        def call(x):
            return call.__wrapped__(x) + 1

        return tf_decorator.make_decorator(target, call)

    @plus_one
    @plus_one
    def double(x):
        return 2 * x

    assert double.__qualname__.endswith("<locals>.double")
    inner = tf_decorator.unwrap(double)[1]
    assert tf_decorator.rewrap(double, inner, lambda x: 3 * x) is double
    assert double(5) == 17
    assert not tf_inspect.isclass(double)
    spec = tf_inspect.ArgSpec(["a", "b"], None, None, (3,))
    named = tf_decorator.make_decorator(
        plus_one, lambda *a, **k: None, "named", decorator_argspec=spec
    )
    assert tf_inspect.getcallargs(named, 4) == {"a": 4, "b": 3}
