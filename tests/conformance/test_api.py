"""The public names: TensorFlow 1.15.5's, with its signatures, and all with docstrings."""

import functools
import inspect
import types
from pathlib import Path

import pytest

import tfmini as tf
from tests.conformance import public_names
from tests.support import recorded


@functools.cache
def golden():
    """Descriptions of TensorFlow's public names: 10 MB."""
    return public_names.read()


@functools.cache
def namespaces():
    """TensorFlow's namespace names."""
    return {name for name, text in golden().items() if text == "module"}


@functools.cache
def here():
    """Descriptions of tfmini's public names; loads all of its modules."""
    return public_names.describe(tf, namespaces())


# All public namespaces of `tf` that are folders.
FOLDERS = {p.parent.name for p in Path(tf.__file__).parent.glob("*/__init__.pyi")}

# Cannot be equal: TensorFlow's binary, and a node's constructor, which only graphs call.
OTHERWISE = {
    *("tf.COMPILER_VERSION", "tf.version.COMPILER_VERSION", "tf.Operation"),
    "tf.keras.models.load_model",  # also has `safe_mode`
}

# absl-py's, whose classes are generic and whose signatures have changed since.
OF_ABSL = ("tf.flags.", "tf.app.flags.")

# In TensorFlow, wrappers with arbitrary arguments of keras_applications' functions.
OF_APPLICATIONS = "tf.keras.applications."

# In TensorFlow, the methods come from the separate library keras_preprocessing.
OF_PREPROCESSING = (
    "tf.keras.preprocessing.image.",
    "tf.keras.preprocessing.sequence.TimeseriesGenerator.",
    "tf.keras.preprocessing.text.Tokenizer.",
)

# In TensorFlow, the methods are wrapper copies with arbitrary keywords.
OF_WRAPPERS = "tf.contrib.distributions.ConditionalTransformedDistribution."

# tfmini's internal additions to its public classes.
OURS = {
    "tf.DType.numpy",
    "tf.DType.proto_name",
    "tf.Graph.add_node",
    "tf.Graph.check_scope_name",
    "tf.Graph.enter_name",
    "tf.Graph.note_mutation",
    "tf.Graph.open_scope",
    "tf.Operation.attrs",
    "tf.Operation.opdef",
    "tf.Operation.user_location",
    "tf.TensorShape.from_dims",
    "tf.dtypes.DType.numpy",
    "tf.dtypes.DType.proto_name",
}


def owner(name):
    return name.rpartition(".")[0]


def lookup(name):
    value = tf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def test_every_public_name_exists_in_tensorflow():
    more = sorted(set(here()) - set(golden()) - OURS)
    assert [n for n in more if not n.startswith(OF_PREPROCESSING)] == []
    assert set(here()) >= OURS


def test_every_namespace_is_compared():
    """The folders next to `_src` are exactly TensorFlow's namespaces."""
    assert [name for name in FOLDERS if f"tf.{name}" not in namespaces()] == ["contrib"]
    # tf.contrib.eager has only the names usable in graphs; tf.contrib.keras has the modules of tf.keras.
    assert set(tf.contrib.__all__) - {"eager", "keras"} <= set(public_names.CONTRIB)


def test_every_public_name_is_compared():
    """A public package has no names outside of its `__all__`: they would not be compared."""
    for namespace in sorted(set(FOLDERS) - {"raw_ops"}):
        module = getattr(tf, namespace, None)
        if hasattr(module, "__all__"):
            offered = {n for n, v in vars(module).items() if not isinstance(v, types.ModuleType)}
            assert {n for n in offered if not n.startswith("_")} <= set(module.__all__), namespace


def test_signatures_and_values():
    shared = set(here()) & set(golden()) - OTHERWISE
    shared = {n for n in shared if not n.startswith((*OF_ABSL, OF_APPLICATIONS, OF_WRAPPERS))}
    different = [
        recorded.explain(here()[name], golden()[name], name)
        for name in sorted(shared)
        if golden()[name] != here()[name]
    ]
    assert not different, "\n".join(different)
    assert len(shared) > 1500


def sample(name):
    """An object of a class with instance attributes instead of properties."""
    with tf.Graph().as_default():
        return {
            "tf.DeviceSpec": tf.DeviceSpec,
            "tf.Operation": tf.no_op,
            "tf.Tensor": lambda: tf.constant(1),
        }.get(name, lambda: None)()


def test_classes_have_all_members():
    classes = {name for name, text in here().items() if text.startswith("class ")}
    assert len(classes) > 1000
    absent = [name for name in golden() if owner(name) in classes and name not in here()]
    instances = {name: sample(name) for name in set(map(owner, absent))}
    missing = [m for m in absent if not hasattr(instances[owner(m)], m.rpartition(".")[2])]
    assert missing == []


def test_raw_ops_accept_keywords_only():
    signature = inspect.signature(tf.raw_ops.Sum)
    assert list(signature.parameters) == ["input", "axis", "keep_dims", "name"]
    with pytest.raises(TypeError, match=r"Sum only takes keyword args \(possible keys: \['input'"):
        tf.raw_ops.Sum(1.0, 0)
    with tf.Graph().as_default():
        assert tf.raw_ops.Sum(input=[1.0], axis=0).op.type == "Sum"


def documented():
    """The names that need a docstring: all but constants, messages and members called only by Python."""
    for name, text in sorted(here().items()):
        if not text.startswith(("value", "message")) and text != "method":
            yield name


def test_every_name_has_docstring():
    docstrings = {name: inspect.getdoc(lookup(name)) or "" for name in documented()}
    undocumented = [n for n, text in docstrings.items() if len(text) < 10 or text.isupper()]
    assert undocumented == []
