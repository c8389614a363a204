"""Writes newer_attrs.txt and second_release/op_defs.pb.xz from the output of second_op_list.py."""

import collections
import sys

from google.protobuf import text_format

import tfmini  # noqa: F401  declares the ops
from tests.support import goldens
from tfmini._src.base import proto
from tfmini._src.graph.opdef import registry

# Attrs without effect on results: debugging names, prefetch distances, hints about products.
NO_RESULT = (
    "allowed_devices buffer_size_min cardinality_options debug_name external_state_policy force_synchronous "
    "grad_a grad_b grad_x grad_y is_files log_warning metadata ram_budget replicate_on_split sparse_gradient "
    "use_default_device validate_shape"
).split()
HEAD = """# The attrs that TensorFlow 2 added to ops of 1.15.5: `ci/record second_release` writes this file.
#
#   ATTR | DEFAULT, or * where it changes no result | OP ...
"""

with open(sys.argv[1], "rb") as file:
    second = {op.name: op for op in proto.OpList.FromString(file.read()).op}
rows = collections.defaultdict(list)
for name in sorted(second):
    declared = registry.get(name)
    if declared is None or name in registry.newer:
        continue
    for attr in second[name].attr:
        if attr.name not in declared.attrs:
            default = text_format.MessageToString(attr.default_value, as_one_line=True)
            rows[attr.name, "*" if attr.name in NO_RESULT else default].append(name)
with open("tfmini/_src/graph/graphdef/newer_attrs.txt", "w", encoding="ascii") as out:
    out.write(HEAD)
    for (attr, default), ops in sorted(rows.items()):
        out.write(f"{attr} | {default} | {' '.join(ops)}\n")
found = proto.OpList()
for name in sorted(registry.newer & set(second)):
    op = found.op.add()
    op.CopyFrom(second[name])
    op.ClearField("summary")
    op.ClearField("description")
    for part in [*op.input_arg, *op.output_arg, *op.attr]:
        part.ClearField("description")
goldens.write_bytes(
    goldens.golden_path("second_release", "op_defs.pb.xz"), found.SerializeToString()
)
