"""Libraries of the time while they are imported."""

import importlib
import subprocess
import sys
import textwrap

import pytest
from google.protobuf import descriptor_pb2

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


REQUEST = """
from google.protobuf import descriptor_pool
from google.protobuf.internal import builder
from tensorflow.core.framework import tensor_pb2 as tensorflow_dot_core_dot_framework_dot_tensor__pb2
DESCRIPTOR = descriptor_pool.Default().AddSerializedFile({description!r})
builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, __name__, globals())
"""
ASKS = """
import tensorflow as tf
config = tf.ConfigProto(allow_soft_placement=True)
from request_pb2 import Request
request = Request()
request.inputs.CopyFrom(tf.make_tensor_proto([1.0, 2.0], shape=[1, 2]))
again = Request.FromString(request.SerializeToString())
print(tf.make_ndarray(again.inputs), config)
"""


def test_generated_messages_with_tensorflows_in_them(tmp_path):
    """As TensorFlow Serving's client has them."""
    file = descriptor_pb2.FileDescriptorProto(
        name="request.proto",
        package="tfmini_test",
        syntax="proto3",
        dependency=["tensorflow/core/framework/tensor.proto"],
    )
    tensor = {"number": 1, "type": 11, "label": 1, "type_name": ".tensorflow.TensorProto"}
    file.message_type.add(name="Request").field.add(name="inputs", **tensor)
    generated = REQUEST.format(description=file.SerializeToString())
    (tmp_path / "request_pb2.py").write_text(generated)
    (tmp_path / "client.py").write_text(ASKS)
    command = [sys.executable, "-m", "tfmini", "run", "client.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "[[1. 2.]] allow_soft_placement: true\n\n"


def test_messages_that_another_package_has_already_declared_otherwise():
    program = """
        import warnings
        from google.protobuf import descriptor_pb2, descriptor_pool
        name = "tensorflow/core/framework/tensor.proto"
        other = descriptor_pb2.FileDescriptorProto(name=name, package="tensorflow")
        other.message_type.add(name="TensorProto")
        descriptor_pool.Default().AddSerializedFile(other.SerializeToString())
        import tfmini.as_tensorflow
        import tensorflow as tf
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            print(tf.make_ndarray(tf.make_tensor_proto(3)), len(warned))
        """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == "3 1\n"


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
