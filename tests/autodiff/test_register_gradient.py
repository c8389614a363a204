"""register_gradient: rules by name, overrides, rules of a single node."""

import gc
import itertools
import weakref

import pytest

import tfmini as tf
from tfmini._src.autodiff import register_gradient
from tfmini._src.graph import op_registry

_numbers = itertools.count()


@pytest.fixture
def name():
    """An unregistered name."""
    return f"RegistryTest{next(_numbers)}"


def gradients(y, x):
    with tf.Session() as session:
        return [float(v) for v in session.run(tf.gradients(y, x))]


def test_override_is_limited_to_its_block(name):
    tf.RegisterGradient(name)(lambda op, grad: grad * 100.0)
    a = tf.constant(0.0)
    with tf.get_default_graph().gradient_override_map({"Tanh": name}):
        inside = tf.tanh(a)
        other = tf.sin(a)
    outside = tf.tanh(a)
    assert gradients(inside, a) == [100.0] and gradients(other, a) == gradients(outside, a) == [1.0]
    assert inside.op.get_attr("_gradient_op_type") == name.encode()


def test_override_may_name_another_op():
    a = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Relu": "Identity"}):
        passed = tf.nn.relu(-a)
    assert gradients(passed, a) == [-1.0]


def test_not_differentiable(name):
    tf.NotDifferentiable(name)
    a = tf.constant(0.0)
    with tf.get_default_graph().gradient_override_map({"Tanh": name}):
        b = tf.tanh(a)
    assert tf.gradients(b, a) == [None]


def test_invalid_rule_results(name):
    tf.RegisterGradient(name)(lambda op, grad: grad)
    tf.RegisterGradient(name + "Shape")(lambda op, grad: tf.ones([3]))
    a = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Mul": name, "Tanh": name + "Shape"}):
        product, tanh = a * a, tf.tanh(a, name="tanh")
    with pytest.raises(
        ValueError, match=r"Num gradients 1 generated for op [\s\S]* do not match num inputs 2"
    ):
        tf.gradients(product, a)
    with pytest.raises(ValueError) as caught:
        tf.gradients(tanh, a)
    assert str(caught.value) == (
        "Incompatible shapes between op input and calculated input gradient.  Forward operation: tanh.  "
        "Input index: 0. Original input shape: (2,).  Calculated input gradient shape: (3,)"
    )


def test_names_are_registered_once(name):
    tf.RegisterGradient(name)(lambda op, grad: grad)
    for known in (name, "Tanh", "Shape"):
        with pytest.raises(KeyError) as caught:
            tf.RegisterGradient(known)(lambda op, grad: grad)
        assert (
            f"Registering two gradient with name '{known}'! (Previous registration was in "
            in str(caught.value)
        )
    with pytest.raises(
        KeyError, match="test_names_are_registered_once .*test_register_gradient.py:"
    ):
        tf.no_gradient(name)


def test_differentiable_ops(name):
    assert register_gradient.is_differentiable("Tanh")
    assert not register_gradient.is_differentiable(
        "Shape"
    ) and not register_gradient.is_differentiable(name)
    tf.RegisterGradient(name)(lambda op, grad: grad)
    assert register_gradient.is_differentiable(name)


def test_custom_rule_is_freed_with_its_graph():
    with tf.Graph().as_default() as graph:
        custom = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: dy * 7.0))
        a = tf.constant(1.0)
        b = custom(a)
        assert gradients(b, a) == [7.0]
        gone = weakref.ref(b.op)
    del custom, a, b, graph
    gc.collect()
    assert gone() is None


def test_registry_is_a_mapping(name):
    rules = register_gradient.GradientRegistry()
    first, second = (lambda op, grad: grad), (lambda op, grad: grad * 2.0)
    rules[name] = {"type": first}
    assert rules[name] == {"type": first} and name in rules and list(rules).count(name) == 1
    count = len(rules)
    rules[name] = {"type": second}
    assert rules[name] == {"type": second} and len(rules) == count
    a = tf.constant(0.0)
    with tf.get_default_graph().gradient_override_map({"Tanh": name}):
        assert gradients(tf.tanh(a), a) == [2.0]
    assert rules.pop(name) == {"type": second} and len(rules) == count - 1
    for missing in (name, "NoSuchOp", "TanhX"):
        assert missing not in rules
        with pytest.raises(KeyError, match=f"^'{missing}'$"):
            rules[missing]
    assert rules["Shape"] == {"type": None} and callable(rules["Tanh"]["type"])


def test_program_replaces_op_rule(monkeypatch):
    monkeypatch.setattr(register_gradient, "_registered", {})
    declared = op_registry.registry["Tanh"]
    monkeypatch.setattr(declared, "gradient_rule", declared.gradient_rule)
    rules, a = register_gradient.GradientRegistry(), tf.constant(0.0)
    assert gradients(tf.tanh(a), a) == [1.0]
    rules["Tanh"] = {"type": lambda op, grad: grad * 3.0}
    assert gradients(tf.tanh(a), a) == [3.0]
    del rules["Tanh"]
    with pytest.raises(
        LookupError, match=r"No gradient defined for operation .Tanh_\d. \(op type: Tanh\)"
    ):
        tf.gradients(tf.tanh(a), a)
    tf.RegisterGradient("Tanh")(lambda op, grad: grad * 5.0)
    assert gradients(tf.tanh(a), a) == [5.0]
