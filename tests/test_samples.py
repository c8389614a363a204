"""What the rows of tests/samples expect is what TensorFlow 1.15.5 computes."""

import inspect
import os
import pickle
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tests import recording
from tests.sample_values import bits, unpacked
from tests.test_every_op import SAMPLES, arguments_of, compare, expected, flat_inputs, outputs_of
from tfmini.graph.opdef import raw

# Rows that TensorFlow does not compute, or computes otherwise, and why.
OTHERWISE = {
    "BatchToSpaceND-strings": "no kernel for strings",
    "PyFunc": "calls a function of the process that built it",
    "PyFuncStateless": "calls a function of the process that built it",
    "SpaceToBatchND-strings": "no kernel for strings",
    "SelfAdjointEigV2": "an output that is not asked for has no shape at all",
    "Sum-half": "TensorFlow sums halves in half precision",
    "Svd": "outputs that are not asked for have no shape at all",
    "Svd-full": "vectors of the other sign",
    "Svd-vectors": "vectors of the other sign",
    "TensorStridedSliceUpdate": "ends the process",
}


def steps_of(sample):
    """Names to fetch, step by step; None if a step is a function, which only tfmini can call."""
    if sample.build is None:
        tensors = [tf.constant(value) for value in flat_inputs(sample)]
        return [outputs_of(getattr(raw, sample.op)(*arguments_of(sample, tensors), **sample.attrs))]
    steps = sample.build(tf)
    return None if any(inspect.isfunction(step) for step in steps) else steps


def named(fetches):
    if isinstance(fetches, list | tuple):
        return [name for fetch in fetches for name in named(fetch)]
    return [tf.get_default_graph().as_graph_element(fetches).name]


def compare_bits(sample, got):
    """Quantized numbers and bfloat16 by their bits; TensorFlow gives quantized ones as plain integers."""
    want = expected(sample, sample.inputs)
    want = [np.asarray(v) for v in (want if isinstance(want, tuple | list) else (want,))]
    got = [g.view(bits(w).dtype) if w.dtype.kind == "V" else g for g, w in zip(got, want)]
    compare(sample, got, [bits(w) for w in want])


@pytest.mark.reference
def test_tensorflow_computes_what_the_rows_expect(tmp_path, reference):
    rows = [s for s in SAMPLES if s.expect is not None and str(s) not in OTHERWISE]
    for number, sample in enumerate(rows):
        with tf.Graph().as_default() as graph:
            steps = steps_of(sample)
            if steps is not None:
                data = graph.as_graph_def().SerializeToString(), [named(step) for step in steps]
                (tmp_path / f"{number}.pb").write_bytes(pickle.dumps(data, protocol=4))
    command = [reference, "-W", "ignore", "-m", "tests.sample_values", tmp_path]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    subprocess.run(command, check=True, cwd=os.path.dirname(recording.HERE), env=environment)
    different = {}
    for number, sample in enumerate(rows):
        if not (tmp_path / f"{number}.pb").exists():
            continue
        found = tmp_path / f"{number}.out"
        got = pickle.loads(found.read_bytes()) if found.exists() else "it ends the process"
        if isinstance(got, str):
            different[str(sample)] = got.split("\n")[0]
            continue
        try:
            compare_bits(sample, [unpacked(item) for item in got])
        except AssertionError as error:
            different[str(sample)] = str(error)
    assert different == {}
