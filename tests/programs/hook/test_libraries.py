"""Libraries of the time while they are imported."""

import importlib
import sys

import pytest

import tfmini as tf
from tfmini._src.programs.hook import legacy_protobuf

GENERATED = """
import sys
_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message

DESCRIPTOR = _descriptor.FileDescriptor(
  name='tfmini_test_animals.proto',
  package='tfmini_test',
  syntax='proto3',
  serialized_pb=_b({description!r})
)

_ANIMAL = _descriptor.Descriptor(
  name='Animal',
  full_name='tfmini_test.Animal',
  fields=[_descriptor.FieldDescriptor(name='legs', full_name='tfmini_test.Animal.legs', index=0)],
)
"""


@pytest.fixture
def old_module(tmp_path, monkeypatch):
    """The name of a module as protoc 3.5 made it, of a message Animal with `legs` and a nested Food."""
    from google.protobuf import descriptor_pb2

    file = descriptor_pb2.FileDescriptorProto(
        name="tfmini_test_animals.proto", package="tfmini_test", syntax="proto3"
    )
    animal = file.message_type.add(name="Animal")
    animal.field.add(name="legs", number=1, type=5, label=1)
    animal.nested_type.add(name="Food").field.add(name="names", number=2, type=9, label=3)
    kind = file.enum_type.add(name="Kind")
    kind.value.add(name="CAT", number=0)
    description = file.SerializeToString().decode("latin1")
    path = tmp_path / "tfmini_animals_pb2.py"
    path.write_text(GENERATED.replace("{description!r}", repr(description)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield path.stem
    sys.modules.pop(path.stem, None)


def test_messages_that_an_old_protoc_has_generated(old_module):
    with pytest.raises(TypeError, match="Descriptor"):
        importlib.import_module(old_module)
    legacy_protobuf.install()
    module = importlib.import_module(old_module)
    animal = module.Animal(legs=4)
    assert module.Animal.FromString(animal.SerializeToString()).legs == 4
    assert module.Animal.Food(names=["a", "b"]).names == ["a", "b"]
    assert module.CAT == 0
    assert module.DESCRIPTOR.package == "tfmini_test"


def test_what_is_set_in_keras(tensorflow):
    backend = tensorflow.keras.backend
    assert (backend.floatx(), backend.epsilon()) == ("float32", 1e-7)
    assert backend.image_data_format() == "channels_last"
    backend.set_floatx("float64")
    backend.set_epsilon(1e-5)
    backend.set_image_data_format("channels_first")
    try:
        assert (backend.floatx(), backend.epsilon()) == ("float64", 1e-5)
        assert backend.image_data_format() == "channels_first"
    finally:
        backend.set_floatx("float32")
        backend.set_epsilon(1e-7)
        backend.set_image_data_format("channels_last")
    with pytest.raises(ValueError, match="Unknown floatx type: int8"):
        backend.set_floatx("int8")
    with pytest.raises(ValueError, match="Unknown data_format: last"):
        backend.set_image_data_format("last")
    tensorflow.keras.utils.get_custom_objects().update({"Mine": dict})
    assert tensorflow.keras.utils.get_custom_objects().pop("Mine") is dict


def test_optimizers_are_directly_below_the_base_class(tensorflow):
    """A library takes those of tf.train by their names, and refuses others."""
    names = [name for name in dir(tensorflow.train) if name.endswith("Optimizer")]
    assert {"AdamOptimizer", "FtrlOptimizer", "GradientDescentOptimizer"} < {*names}
    of = {name: getattr(tensorflow.train, name) for name in names if name != "Optimizer"}
    assert {name for name, found in of.items() if found.__base__ is not tf.train.Optimizer} == set()


def test_modules_of_others(tensorflow):
    class Counter(tensorflow.Module):
        def __init__(self):
            super().__init__()
            self.settings = self._no_dependency({"a": 1})

    assert Counter().settings == {"a": 1}
