"""Writes missing_kernels.txt: the dtypes that OpDefs of TensorFlow 1.15.5 allow without a CPU kernel.

Run by the reference's Python. A session adds XLA's kernels, which also run ops on a CPU.
"""

import tensorflow as tf
from tensorflow.python.framework import kernels, op_def_registry

HEADER = """\
# The dtypes without a kernel on the CPU in TensorFlow 1.15.5: `ci/generate missing_kernels` writes this file.
#
#   ATTR=DTYPES OPS
#   ATTR,ATTR:DTYPE-DTYPE,... OPS   of which only these pairs have a kernel
#
# float16 and bfloat16, for which tfmini has more kernels (docs/reference/differences.md), and handles are left out.
"""
QUANTIZED = {"qint8", "quint8", "qint16", "quint16", "qint32"}
ADDITIONS = ["ScatterNdNonAliasingAdd"]
ADDITIONS += ["ScatterNd" + how for how in ("Add", "Sub")]
ADDITIONS += ["Scatter" + how for how in ("Add", "Sub", "Mul", "Div", "Min", "Max")]
# Dtypes that XLA's kernels allow and its builder, or NumPy's arithmetic, rejects.
REJECTED = {
    **{(op, "T"): QUANTIZED for op in ADDITIONS},
    **{("Resource" + op, "T" if "Nd" in op else "dtype"): QUANTIZED for op in ADDITIONS},
    **{("TensorScatter" + how, "T"): QUANTIZED | {"bool"} for how in ("Add", "Sub")},
    ("FloorDiv", "T"): {"complex64", "complex128"},
    ("LinSpace", "T"): {"bfloat16"},
    ("Range", "Tidx"): {"bfloat16"},
}
PAIRED = "key_dtype", "value_dtype"  # of lookup tables
LEFT_OUT = {"float16", "bfloat16", "resource", "variant"}

tf.Session().close()
registered = {}
for kernel in kernels.get_all_registered_kernels().kernel:
    if kernel.device_type in ("CPU", "XLA_CPU"):
        registered.setdefault(kernel.op, []).append(
            {c.name: c.allowed_values.list.type for c in kernel.constraint}
        )
ops = {}
for name, op in sorted(op_def_registry.get_registered_ops().items()):
    for attr in op.attr:
        dtypes = attr.allowed_values.list.type or [*range(1, 24)]
        missing = {
            tf.as_dtype(dtype).name
            for dtype in dtypes
            if not any(
                dtype in kernel.get(attr.name, [dtype]) for kernel in registered.get(name, [])
            )
        }
        missing = missing - LEFT_OUT | REJECTED.get((name, attr.name), set())
        if attr.type == "type" and name in registered and missing:
            ops.setdefault((attr.name, ",".join(sorted(missing))), []).append(name)
pairs = {}
for name, kept in sorted(registered.items()):
    found = {
        "-".join(tf.as_dtype(kernel[attr][0]).name for attr in PAIRED)
        for kernel in kept
        if set(PAIRED) <= set(kernel)
    }
    if found:
        pairs.setdefault(",".join(sorted(found)), []).append(name)
with open("tfmini/_src/graph/op_traits/missing_kernels.txt", "w") as out:
    out.write(HEADER)
    for (attr, dtypes), names in sorted(ops.items()):
        out.write("{}={} {}\n".format(attr, dtypes, " ".join(names)))
    for found, names in sorted(pairs.items()):
        out.write("{}:{} {}\n".format(",".join(PAIRED), found, " ".join(names)))
print(len(ops), "lines")
