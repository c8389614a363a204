"""Writes tensorflow.desc: TensorFlow 1.15.5's messages as one FileDescriptorSet.

Run by the reference's Python. `ci/generate proto_stubs` then writes the stub of the messages.
"""

import importlib
import os

import tensorflow.core
from google.protobuf import descriptor_pb2

FOLDERS = ("framework", "protobuf", "example", "util")
MODULES = (
    "tensorflow.core.kernels.boosted_trees.boosted_trees_pb2",
    "tensorflow.core.lib.core.error_codes_pb2",
    "tensorflow.core.profiler.tfprof_log_pb2",
    "tensorflow.core.profiler.tfprof_options_pb2",
    "tensorflow.core.profiler.tfprof_output_pb2",
    "tensorflow.contrib.session_bundle.manifest_pb2",
    "tensorflow.contrib.tensorboard.plugins.projector.projector_config_pb2",
    "tensorflow.contrib.training.python.training.hparam_pb2",
    "tensorflow.python.framework.cpp_shape_inference_pb2",
    "tensorflow.python.training.checkpoint_state_pb2",
)
files = {}


def add(descriptor):
    """Adds a file, after its imports."""
    for imported in descriptor.dependencies:
        add(imported)
    if descriptor.name not in files:
        files[descriptor.name] = descriptor_pb2.FileDescriptorProto()
        descriptor.CopyToProto(files[descriptor.name])


def read_number(data, offset):
    """The varint at an offset, and the offset after it."""
    value = shift = 0
    while True:
        byte = ord(data[offset : offset + 1])
        value |= (byte & 127) << shift
        offset, shift = offset + 1, shift + 7
        if byte < 128:
            return value, offset


def embedded_descriptor(data, name):
    """The descriptor of a file built into the library, whose Python module is not packaged."""
    start = data.index(b"\n" + bytes(bytearray([len(name)])) + name + b"\x12\ntensorflow")
    end, last = start, 0
    while True:  # the message's fields, up to the following data
        tag, offset = read_number(data, end)
        if tag >> 3 > 12 or tag & 7 != 2 or (tag >> 3 == 1 and last):
            break
        size, offset = read_number(data, offset)
        end, last = offset + size, tag >> 3
    return descriptor_pb2.FileDescriptorProto.FromString(data[start:end])


core = os.path.dirname(tensorflow.core.__file__)
for folder in FOLDERS:
    for name in sorted(os.listdir(os.path.join(core, folder))):
        if name.endswith("_pb2.py"):
            add(importlib.import_module(f"tensorflow.core.{folder}.{name[:-3]}").DESCRIPTOR)
for module in MODULES:
    add(importlib.import_module(module).DESCRIPTOR)
library = os.path.join(os.path.dirname(core), "python", "_pywrap_tensorflow_internal.so")
with open(library, "rb") as binary:
    code = binary.read()
for name in ("master", "worker"):  # messages between servers
    path = f"tensorflow/core/protobuf/{name}.proto"
    descriptor = embedded_descriptor(code, path.encode())
    for imported in descriptor.dependency:
        if imported not in files:
            add(importlib.import_module(imported[:-6].replace("/", ".") + "_pb2").DESCRIPTOR)
    files[path] = descriptor
data = descriptor_pb2.FileDescriptorSet(file=list(files.values())).SerializeToString()
with open("tfmini/_src/base/proto/tensorflow.desc", "wb") as output:
    output.write(data)
print(len(files), "files,", len(data), "bytes")
