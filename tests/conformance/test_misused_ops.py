"""No op raises an internal error for a wrong input: InternalError, UnknownError, one of Python's, or the
InvalidArgumentError that replaces an exception in a kernel without a check. For handles of other kinds, errors have
TensorFlow's class and moment, except for the rows of misused_handles_otherwise.txt.

`python -m tests.conformance.test_misused_ops OP ...` prints the cases that do, of all ops if none is named;
`python -m tests.conformance.test_misused_ops --record PYTHON` asks TensorFlow, which PYTHON has, about handles again.
"""

import contextlib
import functools
import pathlib
import resource
import sys
import tempfile

import pytest

import tfmini as tf
from tests.conformance import misused_handles
from tests.conformance.misused_ops import first_samples, misuses, of_handles
from tests.support import waiting
from tfmini._src.executor.state.cancellation import ABANDONED_THREADS

MEMORY = 2 << 30
PARTS = 40
WAIT = 200  # milliseconds, for steps that another step would have to unblock
# One op per kind of handle, per form of file name, and of scalars; the full tier uses all.
FEW = {
    "AccumulatorTakeGradient",
    "LookupTableFindV2",
    "MakeIterator",
    "QueueDequeueV2",
    "StackPush",
}
FEW |= {"TensorListPushBack", "TensorArrayWriteV3", "ResourceApplyMomentum", "ReadVariableOp"}
FEW |= {"CacheDataset", "GenerateVocabRemapping", "MapDataset", "PaddedBatchDataset", "Slice"}
UNCHECKED = "cannot compute with inputs of these shapes or elements: "
# TensorFlow's messages with these classes.
INTERNAL = (
    "Invalid variable reference.",
    "does not match declared output type",
    "rejection sampler failed to accept a sample",
    "Prepare() failed: [1] ",
    "indices[0, 0] expected < ",
    "Mismatching shapes: existing tensor = ",
    "Elements of backprop_val_grad aren't all propagated",
    "Unexpected error in binary operator (only integer div and mod should have errors)",
    "UnknownError: InvalidArgumentError: ",  # raised by a program's Python function
)
# They request this many elements or rounds: TensorFlow too takes minutes or runs out of memory.
ENDLESS = {
    *("AsString width 2147483647", "AsString precision 2147483647", "DecodePaddedRaw 1 largest"),
    *("KmeansPlusPlusInitialization 3 largest", "Range 0 smallest", "Range 1 largest"),
    *("SleepDataset 1 largest", "ExperimentalSleepDataset 1 largest"),
    *("ShuffleAndRepeatDataset 1 largest", "UnsortedSegmentJoin 2 largest"),
}


OTHERWISE = pathlib.Path(__file__).with_name("misused_handles_otherwise.txt")


def wrong(error, said):
    """Whether an error is not among TensorFlow's for wrong inputs."""
    if error is None:
        return False
    if said.startswith("build"):
        return not isinstance(error, ValueError | tf.errors.OpError)
    if not isinstance(error, tf.errors.OpError):
        return True
    if UNCHECKED in str(error):
        return True
    internal = isinstance(error, tf.errors.InternalError | tf.errors.UnknownError)
    return internal and not any(text in f"{type(error).__name__}: {error}" for text in INTERNAL)


@functools.cache
def recorded():
    """TensorFlow's outcomes for handles, without known differences."""
    known = {tuple(line.split(" ", 1)) for line in OTHERWISE.read_text().splitlines()}
    return {
        op: {what: said for what, said in said_of.items() if (op, what) not in known}
        for op, said_of in misused_handles.recorded().items()
    }


def unexpected_errors(op):
    """An op's misuses that raise such an error, or another error than TensorFlow's."""
    result = {}
    expected = recorded().get(op, {})
    for what, graph, steps in misuses(first_samples()[op]):
        name = f"{op} {what}"
        if name.removesuffix(" static") in ENDLESS:
            continue
        said, error = misused_handles.answer(tf, graph, steps, WAIT)
        if said != expected.get(what, said):
            result[name] = f"{said} in place of {expected[what]}"
        elif wrong(error, said):
            result[name] = f"{type(error).__name__}: {error}".split("\n")[0]
    return result


@pytest.fixture(autouse=True)
def limited(tmp_path, monkeypatch):
    """A folder for the ops' files, and an address space too small for huge sizes. Steps given up at their deadline
    end: a sampler that never finds enough classes took six gigabytes from the tests after it.
    """
    monkeypatch.chdir(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))
    yield
    waiting.until(lambda: not ABANDONED_THREADS)
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("op", sorted(FEW))
def test_errors_match_tensorflow(op):
    assert unexpected_errors(op) == {}


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_errors_of_all_ops_match_tensorflow(part):
    for op in sorted(first_samples().keys() - FEW)[part::PARTS]:
        assert unexpected_errors(op) == {}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        given = {op: [*of_handles(sample)] for op, sample in first_samples().items()}
        misused_handles.write(sys.argv[2], given)
        sys.exit()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for op in sys.argv[1:] or first_samples():
            for name, error in unexpected_errors(op).items():
                print(f"{name}: {error}")
