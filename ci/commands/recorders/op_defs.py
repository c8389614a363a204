"""Writes op_defs.pb.xz, every OpDef that TensorFlow 1.15.5 registers; op_gradients.json, whether each has a gradient
(true) or deliberately none (false); trial_op_defs.pb.xz, the OpDefs of its graph tests. Run by the reference's
Python.
"""

import importlib
import json

import tensorflow as tf
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.framework import op_def_registry
from tensorflow.python.framework.ops import _gradient_registry as gradients

from tests.support import goldens

# tf.contrib ops used by programs; importing their packages would register many others.
LIBRARIES = (
    "seq2seq/python/ops/_beam_search_ops",
    "image/python/ops/_image_ops",
    "image/python/ops/_single_image_random_dot_stereograms",
    "framework/python/ops/_variable_ops",
    "resampler/python/ops/_resampler_ops",
    "layers/python/ops/_sparse_feature_cross_op",
    "factorization/python/ops/_factorization_ops",
)
for library in LIBRARIES:
    tf.load_op_library(f"{tf.sysconfig.get_lib()}/contrib/{library}.so")
registered = op_def_registry.get_registered_ops()


def write(path, names):
    ops = op_def_pb2.OpList()
    for name in sorted(names):
        op = ops.op.add()
        op.CopyFrom(registered[name])
        op.ClearField("summary")
        op.ClearField("description")
        for part in [*op.input_arg, *op.output_arg, *op.attr]:
            part.ClearField("description")
    goldens.write_bytes(path, ops.SerializeToString())


names = set(registered)
write("tests/golden/op_defs.pb.xz", names)
importlib.import_module("tensorflow.python.framework.test_ops")
write("tests/golden/trial_op_defs.pb.xz", set(registered) - names)
for package in (
    "rnn",
    "image",
    "resampler",
    "layers",
):  # register gradients, of core ops too
    importlib.import_module("tensorflow.contrib." + package)
importlib.import_module(
    "tensorflow.python.ops.while_v2"
)  # registers on the first function with a loop
differentiable = {
    name: gradients.lookup(name) is not None for name in gradients.list() if name in names
}
with open("tests/golden/op_gradients.json", "w") as out:
    json.dump(differentiable, out, indent=0, sort_keys=True)
    out.write("\n")
print(len(names), "ops,", len(differentiable), "gradients")
