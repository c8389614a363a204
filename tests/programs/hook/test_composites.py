"""User-defined composite tensors, flattened as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


@pytest.fixture
def box():
    """A composite tensor class."""
    from tensorflow.python.framework import composite_tensor, type_spec

    class BoxSpec(type_spec.TypeSpec):
        value_type = property(lambda self: Box)
        _component_specs = property(lambda self: self.specs)

        def __init__(self, specs, label):
            self.specs, self.label = specs, label

        def _serialize(self):
            return (self.specs, self.label)

        def _to_components(self, value):
            return value.parts

        def _from_components(self, components):
            return Box(components, self.label)

    class Box(composite_tensor.CompositeTensor):
        def __init__(self, parts, label):
            self.parts, self.label = parts, label

        @property
        def _type_spec(self):
            return BoxSpec(tf.TensorSpec([], tf.int32), self.label)

    return Box


def test_composites_expand_on_request(box):
    from tensorflow.python.util import nest

    tree = {"a": box(1, "x"), "b": 2}
    assert nest.flatten(tree, expand_composites=True) == [1, 2]
    assert nest.flatten(tree)[1] == 2
    doubled = nest.map_structure(lambda n: n * 2, tree, expand_composites=True)
    assert (doubled["a"].parts, doubled["a"].label, doubled["b"]) == (2, "x", 4)
    with pytest.raises(ValueError, match="Incompatible CompositeTensor TypeSpecs"):
        nest.assert_same_structure(box(1, "x"), box(1, "y"), expand_composites=True)
