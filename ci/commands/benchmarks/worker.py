"""The measuring process: `python -m ci.commands.benchmarks.worker MODULE` with MODULE as `tf`.

Reads requests from standard input and answers on standard output, one JSON object per line:

    {"do": "prepare", "name": "mlp"}    ->  {"probe": 2.3}    builds, warms up, reads the probe
    {"do": "time", "seconds": 0.3}      ->  {"seconds": 1e-3, "cpu": 2e-3, "count": 300}    of one step
    {"do": "once", "name": "lstm"}      ->  the figures of the workload
    {"do": "memory", "name": "mlp"}     ->  {"peak": 3.1}    MB added by the first steps of a steady workload

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import importlib
import json
import os
import sys
import time

import numpy as np

import ci.commands.benchmarks.alignments
import ci.commands.benchmarks.checkpoint_files
import ci.commands.benchmarks.eager
import ci.commands.benchmarks.estimators
import ci.commands.benchmarks.graph_files
import ci.commands.benchmarks.keras_fits
import ci.commands.benchmarks.large_graphs
import ci.commands.benchmarks.networks
import ci.commands.benchmarks.pipelines
import ci.commands.benchmarks.recurrent  # noqa: F401
from ci.commands.benchmarks import call_workloads
from ci.commands.benchmarks.families import OPS
from ci.commands.benchmarks.record_files import RECORDS
from ci.commands.benchmarks.sweep_workloads import SWEEP
from ci.commands.benchmarks.workloads import ONCE, STEADY, memory, reset_peak

LOOPED = {**STEADY, **OPS, **RECORDS}
WARM_UP = 20


def prepare(step, steps):
    """Builds and warms up a steady workload; the probe is read after this many steps."""
    for _ in range(steps):
        step.run()
    return step, {"probe": float(np.asarray(step.probe()))}


def measure(step, seconds):
    """Runs steps for about `seconds`: the mean wall and CPU time per step, and their number."""
    count, elapsed, busy, begin = 0, 0.0, time.process_time(), time.perf_counter()
    while elapsed < seconds:
        step.run()
        count += 1
        elapsed = time.perf_counter() - begin
    busy = time.process_time() - busy
    return {"seconds": elapsed / count, "cpu": busy / count, "count": count}


def peak_growth(step):
    """Peak memory that the first five steps add, in MB."""
    reset_peak()
    before = memory()
    for _ in range(5):
        step.run()
    return {"peak": memory("VmHWM") - before}


def serve(tf, requests, answers, build):
    """Answers requests until end of input; `build(name)` is a steady workload."""
    step = None
    for line in requests:
        request = json.loads(line)
        if request["do"] == "prepare":
            step, answer = prepare(build(request["name"]), request.get("steps", WARM_UP))
        elif request["do"] == "time":
            answer = measure(step, request["seconds"])
        elif request["do"] == "memory":
            answer = peak_growth(build(request["name"]))
        else:
            answer = ONCE[request["name"]](tf)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # library output must not look like an answer
    tf = importlib.import_module(sys.argv[1])
    serve(tf, sys.stdin, answers, lambda name: build(tf, name))


def build(tf, name):
    """A steady workload by its name, or by a recorded call's key and size."""
    if isinstance(name, list):
        return call_workloads.workload(tf, *name)
    return {**LOOPED, **SWEEP}[name](tf)


if __name__ == "__main__":
    main()
