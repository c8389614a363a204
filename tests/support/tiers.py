"""The suite's two tiers: the default one, included in every run, and the full one (`pytest --tier full`).

Tests marked `full` run only in the full tier: tests of 0.2 seconds or more, listed in `slow_tests.txt`, golden
programs with long records, and tests marked in the code. The tiers depend only on the source tree.

`python -m tests.support.tiers FILE...` regenerates `slow_tests.txt` from pytest's `--junitxml` files; with
`--durations`, it regenerates `durations.json` from a default-tier run with three processes on two idle cores.
`TFMINI_ORDER=SEED` shuffles the tests with that seed.
"""

import functools
import json
import os
import pathlib
import random
import re
import sys
import zlib
from xml.etree import ElementTree

import pytest

from tests.support.programs import recording, replay

ROOT = pathlib.Path(__file__).parents[2]
SLOW = 0.2  # seconds
SLOW_TESTS = pathlib.Path(__file__).with_name("slow_tests.txt")
DURATIONS = pathlib.Path(__file__).with_name("durations.json")
# Maximum seconds of the default tier's tests in three processes on two cores; pytest and collection take 40 more. Last
# measured at 281: the limit may shrink, to 230, and not grow.
MAX = 285
PROCESSES = 3
# Compressed bytes of a program's record: half of the programs have more, and take five times as long as the others.
LARGE = 8_000
LARGEST_OF_A_FAMILY = 36_000
# Tests of the tree itself, which any change may break: in the default tier, regardless of duration.
GUARDS = (
    "tests/ci/test_api_pages",
    "tests/ci/test_mutants",
    "tests/ci/test_generate",
    "tests/ci/test_tests_of",
    "tests/conformance/test_left_out",
    "tests/support/test_tiers",
    "tests/repository/test_import_circles",
    "tests/repository/test_words",
    "tests/repository/test_layers",
    "tests/repository/test_raises",
    "tests/repository/test_types",
)


# How `-m` selects the tests that the default tier lacks, and the marks in the text of a file that has some.
REST = "(full or tools)"
_MARKS = re.compile(r"\bfull\b|skipif|needs_library")

# On the emulator these take 2 to 40 seconds, mostly for compiling their own kernels.
OF_MANY_KERNELS = frozenset(
    (
        *("canned_v2_classifiers", "canned_with_options", "cells_dropout", "cells_fused"),
        *("cells_gates", "cells_grid_lstm", "cells_grid_rnn", "cells_layer_norm"),
        *("contrib_cluster_loss", "contrib_metric_learning", "contrib_integrate"),
        *("contrib_layers_images", "contrib_layers_reversible", "contrib_metrics_curves"),
        *("contrib_optimizers", "contrib_slim_inception", "contrib_slim_residual"),
        *("distribute_keras", "distributions_bijectors", "distributions_normalizing_flows"),
        *("distributions_mixtures", "gradients_elementwise", "keras_wrappers"),
        *("layers_convolutions", "learn_wide_and_deep", "legacy_seq2seq_attention"),
        *("legacy_seq2seq_models", "matrix_exponential", "nets_trained", "nn_activations"),
        *("quantize_serving", "quantize_training", "rnn_attention_cell", "rnn_bidirectional"),
        *("seq2seq_layers", "series_custom", "series_state_spaces", "series_structural"),
        *("series_windows", "train_translation"),
    )
)


# Tests of 20 seconds or more on two idle cores: they start first, so that no process ends with one of them.
LONGEST = frozenset(
    (
        "tests/base/names/test_editors.py::test_mypy_checks_user_programs",
        "tests/ci/test_gpu.py::test_emulated_call_passes",
        "tests/ci/test_options.py::test_options_with_default_only_are_bounded",
        "tests/ci/test_tests_of.py::test_command_lists_and_runs_tests",
        "tests/conformance/test_dtypes_on_gpus.py::test_every_dtype",
        "tests/conformance/test_dtypes_on_gpus.py::test_gradients_of_every_dtype",
        "tests/conformance/test_golden.py::test_standalone_programs_load_required_modules",
        "tests/conformance/test_golden.py::test_same_graph_and_values[canned_with_options]",
        "tests/conformance/test_golden.py::test_same_graph_and_values[distribute_keras]",
        "tests/examples/test_examples.py::test_cluster_example",
        "tests/devices/cuda/capture/test_uncapturable_ops.py::test_captured_gradients",
        "tests/cluster/faults/test_kills.py::test_estimator_survives_killed_tasks",
        "tests/cluster/faults/test_namespaces.py::test_dropped_packets",
        "tests/cluster/faults/test_network.py::test_network_cut_heals",
    )
)


def full(value):
    """A parameter for the full tier only."""
    return pytest.param(value, marks=pytest.mark.full)


def smallest_of_families(names):
    """The program with the shortest record of each family; a family's names share a prefix."""
    small = {}
    for name in sorted(names, key=lambda name: (_size(name), name)):
        small.setdefault(name.partition("_")[0], name)
    return sorted(small.values())


def graphs():
    """Parameters for graphs recorded from TensorFlow; only each family's smallest is in the default tier."""
    names = replay.programs()
    default = {n for n in smallest_of_families(names) if _size(n) < LARGEST_OF_A_FAMILY}
    return [name if name in default else full(name) for name in names]


def programs_on_gpus():
    """The programs that run on emulated GPUs: all except those with many kernels. On hardware, `tests/on_gpus` runs
    all of them.
    """
    names = recording.names_in("conformance/recorded_programs")
    return [name for name in names if name not in OF_MANY_KERNELS]


def programs():
    """Parameters for all programs; only those with short records are in the default tier."""
    names = recording.names_in("conformance/recorded_programs")
    return [name if _size(name) < LARGE else full(name) for name in names]


def shard(text):
    """Parses `K/N`; raises ValueError unless 1 <= K <= N."""
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(f"no shard {text}")
    return number, count


def nodes_of_shard(nodes, index, count):
    """The pytest nodes (files, classes and tests) in a shard, assigned by name."""
    return [
        node
        for node in nodes
        if isinstance(node, pytest.Collector)
        or zlib.crc32(node.nodeid.encode()) % count == index - 1
    ]


def longest_first(items):
    """Moves the tests in LONGEST to the front."""
    return sorted(
        items, key=lambda item: not LONGEST & {item.nodeid, item.nodeid.partition("[")[0]}
    )


def shuffle(items, seed):
    """Shuffles tests with a seed, keeping each file's tests together."""
    files = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    rng = random.Random(seed)
    drawn = rng.sample(sorted(files), len(files))
    return [item for file in drawn for item in rng.sample(files[file], len(files[file]))]


@functools.cache
def _slow():
    """Entries of `slow_tests.txt` by test: parameters in brackets, and cases."""
    results, test = {}, ""
    for line in SLOW_TESTS.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            results[test].append(line[4:])
        else:
            test = line
            results[test] = []
    return results


@functools.cache
def slow_tests():
    """Names of the tests that take at least SLOW seconds."""
    return frozenset(
        test + each for test, below in _slow().items() for each in below or [""] if each[:1] in "["
    )


@functools.cache
def has_rest(file):
    """Whether a file, relative to the repository, has tests that the default tier lacks: slow ones, or marked ones."""
    return file in _slow_files() or bool(_MARKS.search((ROOT / file).read_text(encoding="utf-8")))


@functools.cache
def _slow_files():
    return {test.partition("::")[0] for test in _slow()}


def slow_cases(test):
    """Names of a test's cases that take at least SLOW seconds."""
    return frozenset(each for each in _slow().get(test, ()) if not each.startswith("["))


def write_slow(names):
    """Writes `slow_tests.txt`: each test, followed by one line per slow parameter or case."""
    by_test = {}
    for name in sorted(names):
        test, parameters, case = re.fullmatch(r"([^\[ ]+)(\[.*)?(?: (.*))?", name).groups()
        by_test.setdefault(test, []).extend(filter(None, (parameters, case)))
    lines = [line for test in by_test for line in (test, *(f"    {e}" for e in by_test[test]))]
    SLOW_TESTS.write_text("\n".join([*lines, ""]), encoding="utf-8")


def slow_in(files):
    """Tests, except guards, that took at least SLOW seconds according to junitxml files; cases for tests with many
    cases.
    """
    results = set()
    for file in files:
        for test in ElementTree.parse(file).iter("testcase"):
            path, name = test.get("classname").replace(".", "/"), test.get("name")
            properties = [(each.get("name"), each.get("value")) for each in test.iter("property")]
            if any(key == "cases" for key, _ in properties):
                slow = [value.partition(" ")[2] for key, value in properties if key == "slow case"]
                results.update(f"{path}.py::{name.partition('[')[0]} {case}" for case in slow)
            elif float(test.get("time")) >= SLOW and path not in GUARDS:
                results.add(f"{path}.py::{name}")
    return sorted(results)


def durations_in(file):
    """Total test seconds by folder, from a junitxml file."""
    results = {}
    for test in ElementTree.parse(file).iter("testcase"):
        directory = "/".join(test.get("classname").split(".")[:2])
        results[directory] = results.get(directory, 0.0) + float(test.get("time"))
    return {directory: round(seconds, 1) for directory, seconds in sorted(results.items())}


def _size(name):
    return os.path.getsize(recording.recording_path(name))


if __name__ == "__main__":
    if sys.argv[1] == "--durations":
        DURATIONS.write_text(json.dumps(durations_in(sys.argv[2]), indent=0) + "\n")
    else:
        write_slow(slow_in(sys.argv[1:]))
