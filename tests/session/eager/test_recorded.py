"""Programs in eager mode return TensorFlow 1.15.5's values, wrong uses raise its errors."""

import re

import pytest

import tfmini as tf
from tests.session.eager import recorded, wrong_uses
from tests.support import goldens
from tests.support.programs.wording import scrub
from tests.support.recorded import same
from tfmini._src.base import tf2
from tfmini._src.session.eager.enable import eager_mode


def record(name):
    return goldens.read(recorded.path_of_golden(name))


def programs_of(package):
    return [
        pytest.param(module, name, function, id=f"{module}-{name}")
        for module, programs in recorded.modules(package).items()
        for name, function in recorded.functions_of(programs).items()
    ]


@pytest.fixture(autouse=True)
def eager():
    tf.keras.backend.clear_session()
    with eager_mode():
        yield


@pytest.fixture
def version_two():
    """Enables the rest of `tf.enable_v2_behavior`, which rejects eager mode in a program with existing nodes."""
    tf.enable_v2_tensorshape()
    tf.enable_resource_variables()
    tf.enable_tensor_equality()
    tf.enable_control_flow_v2()
    tf2.enable()
    yield
    tf.disable_v2_tensorshape()
    tf.disable_resource_variables()
    tf.disable_tensor_equality()
    tf.disable_control_flow_v2()
    tf2.disable()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("module", "name", "function"), programs_of(recorded.programs))
def test_same_values(module, name, function):
    assert_same(recorded.plain(function(tf)), record(module)[name], name)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("module", "name", "function"), programs_of(recorded.v2_programs))
def test_same_values_in_version_two(version_two, module, name, function):
    assert_same(recorded.plain(function(tf)), record(module)[name], name)


def assert_same(got, expected, place):
    if isinstance(expected, dict):
        same(list(got), list(expected), place)
        for key, value in expected.items():
            assert_same(got[key], value, f"{place}.{key}")
    elif isinstance(expected, list):
        same(len(got), len(expected), f"length of {place}")
        for at, value in enumerate(expected):
            assert_same(got[at], value, f"{place}[{at}]")
    elif isinstance(expected, float):
        near = pytest.approx(expected, rel=1e-4, abs=1e-5, nan_ok=True)
        same(got, expected, place, lambda got, _: got == near)
    else:
        same(without_ids(got), without_ids(expected), place)


def without_ids(value):
    return re.sub(r"\bid=[0-9]+", "id=#", value) if isinstance(value, str) else value


@pytest.mark.parametrize("name", recorded.functions_of(wrong_uses))
def test_same_error(name):
    expected = record("wrong_uses")[name]
    got = recorded.outcome(tf, getattr(wrong_uses, name))
    same(got["class"], expected["class"], got["text"])
    same(words(got["text"]), words(expected["text"]))


def words(text):
    return without_ids(scrub(text))
