"""Writes gpu_kernels.txt: the kernels that tensorflow-gpu 1.15.5 registers for GPUs.

Run by the Python 3.7 with tensorflow-gpu that TFMINI_REFERENCE_GPU names; needs neither a GPU nor a driver.
"""

import tensorflow as tf
from tensorflow.python.framework import kernels, op_def_registry

HEADER = """\
# The kernels that TensorFlow 1.15.5 has for GPUs: `ci/generate gpu_kernels` writes this file.
#
#   OP ATTR=DTYPES ... [| WHAT LIVES IN HOST MEMORY] [| CPU first]
#
# An op runs on a GPU if the dtypes of its attrs are on one of its lines; the first that fits decides.
"""
tf.load_op_library(tf.sysconfig.get_lib() + "/contrib/seq2seq/python/ops/_beam_search_ops.so")
public = op_def_registry.get_registered_ops()
registered = kernels.get_all_registered_kernels().kernel
cpu_priorities = {k.op: k.priority for k in registered if k.device_type == "CPU"}


def names(constraint):
    return tuple(sorted(tf.as_dtype(t).name for t in constraint.allowed_values.list.type))


def merge_rows(rows):
    """Merges rows that differ in a single constraint."""
    attrs = sorted({attr for row in rows for attr in row})
    for attr in attrs:
        groups = {}
        for row in rows:
            rest = tuple(sorted((k, v) for k, v in row.items() if k != attr))
            groups.setdefault((rest, attr in row), []).append(row)
        rows = []
        for (rest, has), members in groups.items():
            row = dict(rest)
            if has:
                row[attr] = tuple(sorted({t for member in members for t in member[attr]}))
            rows.append(row)
    return rows


lines = []
for op in sorted(public):
    if op.startswith(
        ("CreateTRT", "InitializeTRT", "SerializeTRT", "TRT", "GetCalibration", "Xla")
    ):
        continue
    arguments = [a.name for a in (*public[op].input_arg, *public[op].output_arg)]
    for device in "GPU", "DEFAULT":  # device-independent registrations come second
        groups = {}
        for kernel in registered:
            if kernel.op != op or kernel.device_type != device or kernel.label:
                continue
            host = [a for a in arguments if a in kernel.host_memory_arg]
            suffix = " | " + " ".join(host) if host else ""
            if kernel.priority < cpu_priorities.get(op, 0):
                suffix += (" |" if host else " | |") + " CPU first"
            row = {c.name: names(c) for c in kernel.constraint}
            groups.setdefault(suffix, []).append(row)
        for suffix, rows in sorted(groups.items()):
            for row in merge_rows(rows):
                attrs = "".join(" {}={}".format(k, ",".join(v)) for k, v in sorted(row.items()))
                lines.append(op + attrs + suffix)
with open("tfmini/_src/devices/cuda/gpu_kernels.txt", "w") as out:
    out.write(HEADER)
    out.writelines(line + "\n" for line in lines)
print(len(lines), "lines")
