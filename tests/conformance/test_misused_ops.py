"""No op answers a wrong input with an error of tfmini's own: InternalError, UnknownError or one of Python's.

`python -m tests.conformance.test_misused_ops` lists the cases that do: misused_ops_otherwise.txt, which should only get
shorter.
"""

import pathlib
import resource

import pytest

import tfmini as tf
from tests.conformance.misused_ops import first_samples, misuses

OTHERWISE = pathlib.Path(__file__).with_name("misused_ops_otherwise.txt")
MEMORY = 2 << 30
WAIT = 200  # milliseconds, for what another step would have to end
# One op of each kind of handle, of each way to name a file, of scalars; the full tier takes all.
FEW = {
    "AccumulatorTakeGradient",
    "LookupTableFindV2",
    "MakeIterator",
    "QueueDequeueV2",
    "StackPush",
}
FEW |= {"TensorListPushBack", "TensorArrayWriteV3", "ResourceApplyMomentum", "ReadVariableOp"}
# TensorFlow's own.
INTERNAL = (
    "Invalid variable reference.",
    "Expected 1 tensors of a Staging Area that holds",
    "does not match declared output type",
)


def wrong(error, builds):
    """Whether an error is none that TensorFlow has for wrong inputs."""
    if builds:
        return not isinstance(error, ValueError | tf.errors.OpError)
    if not isinstance(error, tf.errors.OpError):
        return True
    internal = isinstance(error, tf.errors.InternalError | tf.errors.UnknownError)
    return internal and not any(text in str(error) for text in INTERNAL)


def answer(graph_def, steps):
    """The error of tfmini's own that a misuse ends in, None for any other end."""
    builds = True
    try:
        config = tf.ConfigProto(operation_timeout_in_ms=WAIT)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            tf.import_graph_def(tf.GraphDef.FromString(graph_def), name="")
            builds = False
            for step in steps:
                session.run(step)
    except Exception as error:  # of any class: which one is asked
        return f"{type(error).__name__}: {error}".split("\n")[0] if wrong(error, builds) else None
    return None


def answers(op):
    """The misuses of an op that end in such an error."""
    found = {what: answer(graph, steps) for what, graph, steps in misuses(first_samples()[op])}
    return {f"{op} {what}": error for what, error in found.items() if error is not None}


@pytest.fixture(autouse=True)
def limited(tmp_path, monkeypatch):
    """A folder for what ops write, and an address space that no huge size fits into."""
    monkeypatch.chdir(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("op", sorted(FEW))
def test_errors_are_tensorflows(op):
    known = {line for line in OTHERWISE.read_text().splitlines() if line.split()[0] == op}
    found = answers(op)
    assert {key: found[key] for key in found if key not in known} == {}
    assert known - found.keys() == set(), "mended: take it out of the list"
