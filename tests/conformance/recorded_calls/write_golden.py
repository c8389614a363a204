"""Selects recorded calls and writes TensorFlow 1.15.5's outcome of each: `ci/record calls`.

    python3.7 -m tests.conformance.recorded_calls.write_golden FOLDER  # for FOLDER/*.jsonl, by `call_recorder.py`
    python3.7 -m tests.conformance.recorded_calls.write_golden --KIND FOLDER  # for variations by the module KIND

A call is kept if a second replay, in another process and in reverse order, has the same outcome.
"""

import collections
import importlib
import json
import os
import pathlib
import re
import signal
import sys
import tempfile

import tensorflow as tf

from ci.commands.upstream import call_kinds
from tests.conformance import recorded_calls, short_programs
from tests.support import goldens

# Errors of the record, the machine, or a library that lacks a name, rather than of the call.
DROPPED = (
    *(
        "AttributeError",
        "NameError",
        "UnboundLocalError",
        "ImportError",
        "AssertionError",
        "MemoryError",
    ),
    *("DeadlineExceededError", "ResourceExhaustedError"),
)
# Functions that affect later calls in the process.
OF_PROCESS = re.compile(r'"f": "tf\.(?:config\.|(?:\w+\.)*(?:set|enable|disable|clear|reset)_)')
LEFT_OUT = pathlib.Path(__file__).parents[3] / "docs" / "left_out.md"
NAME = re.compile(r'"(?:f|name)": "(tf\.[\w.]+)"')
# Random integers, not those required by a call.
DRAWN = re.compile(r'"u?int\d+", "drawn"|"drawn": [^"]*"s": [^"]*"(?:tensor|variable)": "u?int')
TIMEOUT = 1500  # milliseconds: calls that block for longer are dropped
AT_MOST = 30  # seconds for an entire call
# Python's own messages, which depend on its version; errors of functions converted by AutoGraph.
OF_PYTHON = re.compile(
    "real number|modulo by zero|division by zero|expected string or bytes|must be an iterable|can only concatenate"
    r"|object is not|unsupported operand|not supported between|argument must be|required positional|indices must be"
    r"|unexpected keyword|concatenate str|object has no|StagingError|ZeroDivisionError|IndexError|KeyError|no len"
    "|not understood|could not broadcast|empty range|zero-size array|number is required|OperatorNotAllowed"
    "|of type 'bool'|__int__|positional argument|multiple values for"
)
# Features that TensorFlow's CPU kernels lack.
NO_KERNEL = "No OpKernel was registered"
# Nondeterministic outcomes: set order; whether the process has listed GPUs or loaded a module; example order; the node
# that fails first, or is named among equal ones; rounding after cancellation; compression.
BY_CHANCE = (
    *("dfcb6ef8", "51937278", "ee08c38e"),
    *("1cb4860b", "20822b33", "28873a3c", "2cf052e8", "4e57a654", "51c2bfce"),
    *("56f96c3c", "5f8e96cf", "7df48245", "8ba0bd06", "95257aa8", "a8a355a9"),
    *("ac45eb1b", "adf6ea37", "c6774380", "e2a8b58b"),
    "tf.contrib.linear_optimizer.SdcaModel.minimize",
    "tf.contrib.factorization.GmmAlgorithm.training_ops",
    *("tf.keras.Model.predict", "tf.keras.Model.predict_on_batch"),
)
# The node that fails first, if the text names it.
FIRST_OF_SEVERAL = "You must feed a value for placeholder tensor 'StatefulPartitionedCall"
# Eager random ops with equal seeds continue after the process's last one.
SEEDED = re.compile(r'"seed": \d')
# File locations; message maps in text form, whose order varies; slow arrays and datasets.
HERE = re.compile(r'/tmp/|defined at|node_def|"of": \[[^\]]*\d{5}|\b1000000\b')
MAX = 40  # calls per function
LONGEST = 4000  # characters per record and outcome


def smallest(folder):
    """The record with the shortest text of each kind; of each function, those with the fewest characters."""
    kinds, left_out = {}, _left_out()
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if (
                DRAWN.search(line)
                or OF_PROCESS.search(line)
                or left_out.intersection(NAME.findall(line))
            ):
                continue
            kind = call_kinds.kind(record)
            if kind not in kinds or (len(line), line) < kinds[kind]:
                kinds[kind] = (len(line), line)
    of_function = collections.defaultdict(list)
    for length, line in kinds.values():
        record = _plain(json.loads(line))
        of_function[call_kinds.full_name(record)].append((length, line, record))
    found = []
    for name in sorted(of_function):
        found += [record for _, _, record in sorted(of_function[name], key=lambda r: r[:2])[:MAX]]
    return found


def _left_out():
    """Public names that tfmini lacks."""
    rows = re.findall(r"^\| (tf\S*) \| (.+) \|$", LEFT_OUT.read_text(), re.MULTILINE)
    return {f"{module}.{name}" for module, names in rows for name in names.strip("`").split("` `")}


def _plain(record):
    """A record without the parts that only its kind needs."""
    if isinstance(record, list):
        return [_plain(each) for each in record]
    if not isinstance(record, dict):
        return record
    kept = {key: _plain(value) for key, value in record.items()}
    if "f" in kept:
        kept.pop("n", None)
    return kept


def answers(records, path):
    """The outcome of each record, by key; None where a process crashed, after which another one continues."""
    found = _read(path)
    waiting = [record for record in records if recorded_calls.key(record) not in found]
    while waiting:
        child = os.fork()
        if child == 0:
            _answer(waiting, path)
        os.waitpid(child, 0)
        found = _read(path)
        waiting = [record for record in waiting if recorded_calls.key(record) not in found]
        if waiting:
            print("ended by", json.dumps(waiting[0])[:200], flush=True)
            with open(path, "a") as out:
                out.write(f"\n{json.dumps([recorded_calls.key(waiting.pop(0)), None])}\n")
    return _read(path)


def _read(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return dict(json.loads(line) for line in file if line.endswith("]\n"))


def _answer(records, path):
    path = os.path.abspath(path)
    with tempfile.TemporaryDirectory() as folder, open(path, "a") as out:
        os.chdir(folder)
        for number, record in enumerate(records):
            signal.alarm(AT_MOST)  # exits the process: some of TensorFlow's loops never end
            found = _rounded(recorded_calls.answer(tf, record, TIMEOUT))
            out.write(json.dumps([recorded_calls.key(record), found]) + "\n")
            out.flush()
            if number % 500 == 0:
                print(path, number, "of", len(records), flush=True)
        os.chdir("/")
    os._exit(0)


def _rounded(value):
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def kept(records, folder, kind):
    """Groups of records with the same outcome in two replays, and the outcomes."""
    child = os.fork()  # the second replay, in parallel
    if child == 0:
        answers(records[::-1], os.path.join(folder, f"second.{kind}answers"))
        os._exit(0)
    first = answers(records, os.path.join(folder, f"first.{kind}answers"))
    os.waitpid(child, 0)
    second = _read(os.path.join(folder, f"second.{kind}answers"))
    groups = collections.defaultdict(list)
    for record in records:
        name = call_kinds.full_name(record)
        one, other = (found[recorded_calls.key(record)] for found in (first, second))
        if one is None or other is None or one.get("error") in DROPPED:
            continue
        if kind and "error" in one and OF_PYTHON.search(f"{one['error']} {one['text']}"):
            continue
        if any(words in one.get("text", "") for words in (FIRST_OF_SEVERAL, NO_KERNEL)):
            continue
        if record.get("w") == "eager" and SEEDED.search(json.dumps(record)):
            continue
        if name in BY_CHANCE or recorded_calls.key(record) in BY_CHANCE:
            continue
        if one.get("graph") != other.get("graph"):
            one.pop("graph", None)
            other.pop("graph", None)
        text = json.dumps([record, one])
        if not short_programs.same(one, other) or len(text) > LONGEST or HERE.search(text):
            continue
        groups[call_kinds.namespace(record)].append([name, record, one])
    found = {}
    for namespace in sorted(groups):
        calls = groups[namespace]
        for number in range(0, len(calls), recorded_calls.GROUP):
            part = f"{namespace}-{kind}{number // recorded_calls.GROUP}"
            found[part] = calls[number : number + recorded_calls.GROUP]
    return found


def _varied(path, kind):
    """Variations of the records of TensorFlow's tests, created in another process, since this one forks and must have
    no threads."""
    if not path.exists():
        if os.fork() == 0:
            module = importlib.import_module("tests.conformance.recorded_calls." + kind)
            made = module.varied(tf, recorded_calls.read(recorded_calls.RECORD))
            path.write_text(json.dumps(made))
            os._exit(0)
        os.wait()
    return json.loads(path.read_text())


def main():
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
    *kinds, folder = sys.argv[1:]
    if kinds:
        (kind,) = (each.lstrip("-") for each in kinds)
        records = _varied(pathlib.Path(folder, kind + ".json"), kind)
        path, part = recorded_calls.path_of(kind), kind + "-"
    else:
        records, path, part = smallest(folder), recorded_calls.RECORD, ""
    print(len(records), "calls", flush=True)
    found = kept(records, folder, part)
    goldens.write(path, found, sort_keys=True)
    recorded_calls.write_groups()
    print(sum(map(len, found.values())), "calls kept, in", len(found), "groups")


if __name__ == "__main__":
    main()
