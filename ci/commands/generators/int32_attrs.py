"""Writes int32_attrs.txt: the attrs that TensorFlow 1.15.5 reads as int32, op by op.

`int32_attrs_probe.py`, run by the reference's Python, sets each attr to 2^31 in a node with inputs of unknown shapes,
then imports the node, to test the shape rule, and runs it, to test the kernel.
"""

import os
import subprocess
import sys
import threading

from ci.commands.subcommands import REFERENCE, interpreter

PROBE = "ci.commands.generators.int32_attrs_probe"

HEADER = """\
# The attrs that TensorFlow 1.15.5 reads as int32: `ci/generate int32_attrs` writes this file.
#
#   OP ATTRS OF ITS SHAPE RULE | ATTRS OF ITS KERNEL
#
# What has no kernel on a CPU is as its siblings.
"""
SECONDS = 30  # per attr; the first also waits for TensorFlow to load


def asked_from(start):
    """The reference's output lines until it exits or is terminated while blocked; its exit status."""
    probe = subprocess.Popen(
        [interpreter(REFERENCE), "-W", "ignore", "-m", PROBE, str(start)],
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    lines = []
    while True:
        timer = threading.Timer(SECONDS, probe.kill)
        timer.start()
        line = probe.stdout.readline()
        timer.cancel()
        if not line:
            return lines, probe.wait()
        lines.append(line)


found = {"MaxPoolGradWithArgmax": {"rule": [], "kernel": ["ksize", "strides"]}}
start, status = 0, 1
while status:
    lines, status = asked_from(start)
    for line in lines:
        first, *rest = line.split()
        if first == "#":
            start, at = int(rest[0]) + 1, rest[1:]
        else:
            reader, attr = rest
            found.setdefault(first, {"rule": [], "kernel": []})[reader].append(attr)
    if status > 0 or (status and not lines):
        sys.exit("the reference fails: run int32_attrs_probe.py by hand to see its error")
    if status:
        print(*at, "waits for ever" if status == -9 else f"ends TensorFlow by signal {-status}")
with open("tfmini/_src/graph/int32_attrs.txt", "w") as file:
    file.write(HEADER)
    for op, by in sorted(found.items()):
        file.write(
            " ".join([op, *by["rule"], *(["|", *by["kernel"]] if by["kernel"] else [])]) + "\n"
        )
print(len(found), "ops")
