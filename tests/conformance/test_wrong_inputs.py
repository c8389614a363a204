"""Each op's error for inputs of another rank or length, empty or with other elements is TensorFlow 1.15.5's.

`python -m tests.conformance.test_wrong_inputs PYTHON` records TensorFlow again, with its PYTHON, and lists tfmini's
differences: wrong_inputs_otherwise.txt, which should only get shorter.
"""

import functools
import importlib.util
import itertools
import json
import pathlib
import sys

import pytest

import tfmini as tf
from tests.conformance import wrong_inputs
from tests.conformance.samples import SAMPLES
from tests.conformance.test_every_op import arguments_of, flat_inputs, outputs_of
from tests.conformance.test_samples import of_its_time
from tests.support import cases, recorded
from tfmini._src.graph.opdef import raw

# Not in TensorFlow's own package, or only on GPUs.
NOT_THERE = frozenset(
    (
        *("BipartiteMatch", "GatherTree", "ImageConnectedComponents", "ImageProjectiveTransform"),
        *("ImageProjectiveTransformV2", "MaskedMatmul", "MaxPoolGradGradWithArgmax", "Resampler"),
        *("ResamplerGrad", "SingleImageRandomDotStereograms", "WALSComputePartialLhsAndRhs"),
    )
)
LARGE = 2000  # elements
PARTS = 6  # ops per test
OTHERWISE = pathlib.Path(__file__).with_name("wrong_inputs_otherwise.txt")


@functools.cache
def rows():
    """For the first sample of each op: its graph, placeholder and output names, placeholder values."""
    found = {}
    for sample in SAMPLES:
        hidden = sample.op in NOT_THERE or sample.op.startswith(("_", "Cudnn", "Nccl"))
        if hidden or sample.op in found or sample.build is not None or not len(sample.inputs):
            continue
        values = flat_inputs(sample)
        if any(v.dtype.kind == "V" for v in values) or sum(v.size for v in values) > LARGE:
            continue
        with tf.Graph().as_default() as graph:
            given = [tf.placeholder(tf.as_dtype(value.dtype)) for value in values]
            try:
                made = getattr(raw, sample.op)(*arguments_of(sample, given), **sample.attrs)
            except ValueError:  # requires a known shape
                continue
            if outputs := [tensor.name for tensor in outputs_of(made)]:
                names = [tensor.op.name for tensor in given]
                definition = of_its_time(graph.as_graph_def()).SerializeToString()
                found[sample.op] = definition, names, outputs, values
    return found


def differing(op, wanted):
    """Inputs and changes for which tfmini's errors differ."""
    graph, names, outputs, values = rows()[op]
    graph_def = tf.GraphDef.FromString(graph)
    found = {}
    changes = [wrong_inputs.wrong(values, each) for each in wrong_inputs.CHANGES]
    for what, changed in itertools.chain(*changes):
        if wanted.get(what) is None:  # TensorFlow's process had crashed
            continue
        said = wrong_inputs.said(tf, graph_def, names, outputs, changed)
        for when, mine, its in zip(("static", "late"), json.loads(json.dumps(said)), wanted[what]):
            if mine != its:
                found[f"{op} {what} {when}"] = its, mine
    return found


def part(number):
    """A subset of the ops, each with TensorFlow's errors."""
    recorded = wrong_inputs.recorded()
    ops = [*recorded][number::PARTS]
    if importlib.util.find_spec("re2") is None:
        ops = [op for op in ops if "Regex" not in op]
    return {op: (op, recorded[op]) for op in ops}


GROUPS = [cases.Group(f"ops-{n}", functools.partial(part, n)) for n in range(PARTS)]


@pytest.mark.filterwarnings("ignore")
@cases.parametrize(GROUPS)
def test_errors_match_tensorflow(group, check_each):
    check_each(group, check)


def check(row):
    op, wanted = row
    known = {line for line in OTHERWISE.read_text().splitlines() if line.split()[0] == op}
    found = differing(op, wanted)
    new = [
        recorded.explain(mine, its, key) for key, (its, mine) in found.items() if key not in known
    ]
    assert not new, "\n".join(new)
    assert known - found.keys() == set(), "says the same now: take it out of the list"


if __name__ == "__main__":
    if sys.argv[1:]:
        wrong_inputs.write(sys.argv[1], rows())
    recorded = wrong_inputs.recorded()
    OTHERWISE.write_text(
        "".join(f"{key}\n" for op in recorded for key in differing(op, recorded[op]))
    )
