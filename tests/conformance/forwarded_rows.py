"""Sample rows with a reference variable as an input that the same step assigns afterwards: results that
show the assigned value share the variable's memory.

`python -m tests.conformance.forwarded_rows` writes `golden/forwarded.json`, TensorFlow 1.15.5's results for all rows.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

import tfmini as tf
from tests.conformance.samples import SAMPLES
from tests.conformance.test_every_op import arguments_of, flat_inputs, outputs_of
from tests.conformance.test_samples import OTHERWISE, of_its_time, reference_results
from tests.support.oracles.sample_values import bits
from tfmini._src.graph.opdef import raw, registry

# Ops whose results differ between two equal nodes, or that write to their inputs.
APART = {"SdcaOptimizer", "SdcaOptimizerV2", "TensorSummary", "TensorSummaryV2"}
APART |= {"InplaceAdd", "InplaceSub", "InplaceUpdate"}
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "forwarded.json"


def build(sample, number):
    """A graph and its steps: the last returns the results for a variable assigned afterwards, as input `number`,
    and then those for a constant one. None if there is no such input.
    """
    values = flat_inputs(sample)
    with tf.Graph().as_default() as graph:
        tensors = [tf.constant(value) for value in values]
        after = _other(np.asarray(values[number]), tensors[number].dtype)
        found, starts = [], []
        for name in ("assigned", "left"):
            variable = raw.VariableV2(
                shape=np.shape(values[number]), dtype=tensors[number].dtype, name=name
            )
            starts.append(tf.assign(variable, tensors[number]).op.name)
            given = [*tensors[:number], variable, *tensors[number + 1 :]]
            made = getattr(raw, sample.op)(*arguments_of(sample, given), **sample.attrs)
            if not isinstance(made, tf.Operation):
                found.append([t for t in outputs_of(made) if _is_fetched(t)])
        if not found or not found[0]:
            return None
        with tf.control_dependencies([t for outputs in found for t in outputs]):
            changed = tf.assign(graph.get_tensor_by_name("assigned:0"), after).op.name
        fetches = [t.name for outputs in found for t in outputs]
        return of_its_time(graph.as_graph_def()).SerializeToString(), [starts, [*fetches, changed]]


def _is_fetched(tensor):
    return not tensor.dtype._is_ref_dtype and tensor.dtype not in (tf.resource, tf.variant)


def _other(value, dtype):
    """A constant with a different value in each element."""
    if value.dtype == object:
        items = [
            b"x%b" % (item if isinstance(item, bytes) else item.encode()) for item in value.flat
        ]
        return tf.constant(np.array([*items, None], object)[:-1].reshape(value.shape), dtype)
    if value.dtype.kind == "V":
        flipped = bits(value) ^ bits(value).dtype.type(1)
        return tf.constant(flipped.view(value.dtype), dtype)
    if value.dtype.kind == "b":
        return tf.constant(~value, dtype)
    return tf.constant((value + value.dtype.type(1)).astype(value.dtype), dtype)


def shown(values):
    """The indices of the results that differ between the two variables."""
    half = len(values) // 2
    return [number for number in range(half) if values[number] != values[half + number]]


def rows():
    """(text, sample, number) of all rows that TensorFlow computes."""
    apart = APART | OTHERWISE.keys()
    for sample in SAMPLES:
        if sample.build is not None or "Dataset" in sample.op or {str(sample), sample.op} & apart:
            continue
        if registry[sample.op].stateful and registry[sample.op].forwarding is None:
            continue
        for number in range(len(flat_inputs(sample))):
            yield f"{sample} {number}", sample, number


def main():
    """Records TensorFlow's results."""
    numbered = dict(enumerate(rows()))
    built = {n: build(sample, number) for n, (_, sample, number) in numbered.items()}
    with tempfile.TemporaryDirectory() as folder:
        graphs = {n: row for n, row in built.items() if row is not None}
        made = reference_results(os.environ["TFMINI_REFERENCE"], Path(folder), graphs)
    said = {}
    for n, values in sorted(made.items()):
        if isinstance(values, str):
            print(numbered[n][0], values.split("\n")[0], file=sys.stderr)
        elif shown(values):
            said[numbered[n][0]] = shown(values)
    GOLDEN.write_text(json.dumps(said, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
