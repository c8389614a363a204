"""Settings that programs assign in TensorFlow's modules, and tfmini's reads of them."""

import contextlib

import pytest

import tfmini as tf
from tfmini._src.base import logs
from tfmini._src.base.names import deprecation
from tfmini._src.base.names.lazy_namespace import names_loaded_so_far
from tfmini._src.cluster import device_setter
from tfmini._src.functions import control_flow_v2
from tfmini._src.graph.autograph_status import python_loops
from tfmini._src.nn.layers.backend import config
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.programs.hook import facade
from tfmini._src.programs.hook.forwarded_settings import FORWARDED_SETTINGS
from tfmini._src.session.eager import context

ROWS = [
    (
        "python.autograph.operators.control_flow",
        "PYTHON_MAX_ITERATIONS",
        7,
        lambda: python_loops.max_iterations,
    ),
    (
        "python.keras.engine.base_layer_utils",
        "V2_DTYPE_BEHAVIOR",
        True,
        config.v2_dtype_behavior_enabled,
    ),
    (
        "python.ops.control_flow_util",
        "ENABLE_CONTROL_FLOW_V2",
        True,
        control_flow_v2.control_flow_v2_enabled,
    ),
    (
        "python.util.deprecation",
        "_PRINT_DEPRECATION_WARNINGS",
        False,
        lambda: deprecation._warn,
    ),
    (
        "python.ops.summary_op_util",
        "summary_scope",
        lambda name, *others, **named: tf.name_scope(name),
        lambda: summary_scope.summary_scope,
    ),
    (
        "python.training.device_setter",
        "_RoundRobinStrategy",
        int,
        lambda: device_setter.RoundRobin,
    ),
    *(
        ("python.platform.tf_logging", name, print, lambda name=name: getattr(logs, name))
        for name in ("debug", "error", "fatal", "info", "warn", "warning")
    ),
]


@pytest.mark.parametrize("path, name, value, read", ROWS, ids=[row[1] for row in ROWS])
def test_assigned_setting_is_read(path, name, value, read):
    """The last assignment applies; deleting it restores the original."""
    module = facade.Facade(f"tensorflow.{path}")
    before = read()
    assert getattr(module, name) == before != value
    setattr(module, name, value)
    try:
        assert read() == value == getattr(module, name) and name not in names_loaded_so_far(module)
        setattr(module, name, before)
        assert read() == before == getattr(module, name)
        setattr(module, name, value)
    finally:
        delattr(module, name)
    assert read() == before == getattr(module, name)


def test_eager_context_is_reset(monkeypatch):
    monkeypatch.setattr(context, "_context", [])
    module = facade.Facade("tensorflow.python.eager.context")
    assert module._context is None
    current = context.context()
    assert module._context is current and module._context is context.context()
    module._context = None
    assert module._context is None and context.current_context() is None
    assert context.context() is not current


def test_replaced_summary_scope_is_used(tensorflow, monkeypatch):
    """As in adanet, whose summary tags omit the scopes of its subnetworks."""

    @contextlib.contextmanager
    def short_tag(name, family=None, default_name=None, values=None):
        yield f"{family}:{default_name}", f"{name}/"

    module = facade.Facade("tensorflow.python.ops.summary_op_util")
    monkeypatch.setattr(module, "summary_scope", short_tag)
    with tf.Graph().as_default(), tf.Session() as session, tf.name_scope("outer"):
        written = session.run(tf.summary.histogram("weights", [1.0], family="dense"))
    assert tf.Summary.FromString(written).value[0].tag == "dense:HistogramSummary"


def test_replaced_strategy_places_variables(tensorflow, monkeypatch):
    module = facade.Facade("tensorflow.python.training.device_setter")
    monkeypatch.setattr(
        module, "_RoundRobinStrategy", lambda servers: lambda op: len(op.name) % servers
    )
    with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(3)):
        names = [
            tf.get_variable(name, [], use_resource=True).handle.device for name in ("ab", "abcd")
        ]
    assert names == ["/job:ps/task:2", "/job:ps/task:1"]


def test_forwarded_settings_are_complete():
    assert {(path, name) for path, names in FORWARDED_SETTINGS.items() for name in names} == {
        *((path, name) for path, name, _, _ in ROWS),
        ("python.eager.context", "_context"),
    }
    other = facade.Facade("tensorflow.python.util.nest")
    other._PRINT_DEPRECATION_WARNINGS = 3
    assert names_loaded_so_far(other)["_PRINT_DEPRECATION_WARNINGS"] == 3 and deprecation._warn != 3
