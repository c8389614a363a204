"""Which golden programs and slow tests run every day, and which take turns: a part of them each day.

Golden programs whose turn it is are `thorough`: `ci/check` runs them. Slow tests, which `slow_tests.txt` names, run one
day of seven, with the rest. Those of another day's turn are marked `lengthy`, as those that take longest are:
`ci/thorough` runs them all.

`python -m tests.every_day` says whose turn it is; `TFMINI_DAY=N` makes it another day's. `TFMINI_ORDER=SEED` runs the
tests in an order drawn by that seed.
`python -m tests.every_day FILE...` writes `slow_tests.txt` anew from files that pytest wrote with `--junitxml`.
"""

import datetime
import math
import os
import pathlib
import random
import sys
import textwrap
import zlib
from xml.etree import ElementTree

import pytest

from tests import recording, replay

# Days until each has had its turn: a test of another list of turns, of two days, comes round as well, as 7 is prime.
TURNS = 7
# The processes of a run are of one day, though midnight may pass.
DAY = int(os.environ.setdefault("TFMINI_DAY", str(datetime.date.today().toordinal())))
# Bytes of what is recorded of a program: half of them are above, and take five times as long as the others.
LARGE = 8_000
LARGEST_OF_A_FAMILY = 36_000
SLOW = 0.3  # seconds
SLOW_TESTS = pathlib.Path(__file__).with_name("slow_tests.txt")
# They look at the tree itself, which any change may break: they run each day, however long they take.
GUARDS = (
    *(
        "tests/ci/test_api_pages",
        "tests/ci/test_mutants",
        "tests/ci/test_rooms",
        "tests/ci/test_tests_of",
    ),
    *(
        "tests/conformance/test_left_out",
        "tests/test_docstrings",
        "tests/test_every_day",
        "tests/test_layers",
    ),
    *("tests/test_raises", "tests/test_types"),
)
# On the fake these compile so many kernels of their own that they take 4 seconds to 50, half the time of all.
_OF_MANY_KERNELS = frozenset(
    (
        *("cells_basic", "cells_dropout", "cells_fused", "cells_gates", "cells_grids"),
        *("cells_in_grids", "cells_layer_norm", "contrib_clusters", "contrib_distances"),
        *("contrib_integrate", "contrib_layers_images", "contrib_layers_reversible"),
        *("contrib_slim_inception", "contrib_slim_residual", "distributions_flows"),
        *("distributions_mixtures", "distributions_positive", "distributions_rare"),
        *("gradients_elementwise", "heads_newer_trained", "keras_optimizers"),
        *("keras_peepholes", "keras_pictures", "keras_recurrent", "keras_starts"),
        *("keras_stateful", "math_binary_gradients", "nets_trained", "nn_activations"),
        *("quantize_training", "rnn_attention_cell", "rnn_own_cells", "rnn_variables"),
        *("sampling_losses", "seq2seq_layers", "signal_frames", "train_translation"),
    )
)


def on_day(number, of):
    """The mark of a test that has its turn on each day of that number, counted by `of`."""
    return getattr(pytest.mark, "thorough" if DAY % of == number else "lengthy")


def graphs():
    """Parameters for the graphs that TensorFlow recorded: a small one of each family, whose names begin alike, runs
    every day.
    """
    names = replay.programs()
    return _in_turns(names, _small_ones(names))


def programs():
    """Parameters for all programs: those of which much is recorded take turns."""
    names = recording.names_in("recorded_programs")
    return _in_turns(names, {name for name in names if _size(name) < LARGE})


def programs_on_gpus():
    """For programs on the fake GPUs, where each op is tested every day: all take turns, but those of many kernels are
    always `lengthy`.
    """
    names = recording.names_in("recorded_programs")
    short = [name for name in names if name not in _OF_MANY_KERNELS]
    long = [
        pytest.param(name, marks=pytest.mark.lengthy) for name in names if name in _OF_MANY_KERNELS
    ]
    return _in_turns(short, ()) + long


def shares(values, of, first=0):
    """Parameters for these values: each has its turn on one of so many days, the first of them on that day.

    Raises:
      ValueError: if those that are slow as well would have no turn on any day.
    """
    if math.gcd(of, TURNS) != 1:
        raise ValueError(f"turns of {of} days and of {TURNS} may never meet")
    return [
        value
        if (number - DAY + first) % of == 0
        else pytest.param(*_listed(value), marks=pytest.mark.lengthy)
        for number, value in enumerate(values)
    ]


def _listed(value):
    return value if isinstance(value, tuple) else (value,)


def shuffled(items, seed):
    """Tests in an order drawn by a seed, those of a file together: none may count on what ran before it."""
    files = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    chance = random.Random(seed)
    drawn = chance.sample(sorted(files), len(files))
    return [item for file in drawn for item in chance.sample(files[file], len(files[file]))]


def slow_tests():
    """The names of the tests that take SLOW seconds or more."""
    return SLOW_TESTS.read_text(encoding="utf-8").splitlines()


def of_other_days():
    """The slow tests that have their turn on another day."""
    return {name for name in slow_tests() if (zlib.crc32(name.encode()) - DAY) % TURNS}


def slow_in(files):
    """The tests, guards of the tree aside, that took SLOW seconds or more in runs that pytest has reported in files."""
    found = set()
    for file in files:
        for case in ElementTree.parse(file).iter("testcase"):
            path = case.get("classname").replace(".", "/")
            if float(case.get("time")) >= SLOW and path not in GUARDS:
                found.add(f"{path}.py::{case.get('name')}")
    return sorted(found)


def _small_ones(names):
    small = {}
    for name in sorted(names, key=lambda name: (_size(name), name)):
        small.setdefault(name.partition("_")[0], name)
    return {name for name in small.values() if _size(name) < LARGEST_OF_A_FAMILY}


def _size(name):
    return os.path.getsize(recording.path_of(name))


def _in_turns(names, every_day):
    others = [name for name in names if name not in every_day]
    of_today = set(others[DAY % TURNS :: TURNS])
    marks = {name: "thorough" if name in of_today else "lengthy" for name in others}
    return [
        pytest.param(name, marks=getattr(pytest.mark, marks[name])) if name in marks else name
        for name in names
    ]


def said():
    """The programs whose turn it is, in words."""
    lines = [f"Golden programs of day {DAY} (TFMINI_DAY), turn {DAY % TURNS + 1} of {TURNS}:"]
    for what, parameters in (
        ("graphs run from TensorFlow's file", graphs()),
        ("programs of which much is recorded", programs()),
        ("programs on the fake GPUs", programs_on_gpus()),
    ):
        marked = [p for p in parameters if not isinstance(p, str)]
        names = [p.values[0] for p in marked if p.marks[0].name == "thorough"]
        head = f"{what}, {len(names)} of {len(parameters)}, beside {len(parameters) - len(marked)} of each day: "
        lines += textwrap.wrap(head + " ".join(names), 120, subsequent_indent="  ")
    slow = len(slow_tests())
    lines.append(f"slow tests, {slow - len(of_other_days())} of {slow}")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:]:
        SLOW_TESTS.write_text("\n".join([*slow_in(sys.argv[1:]), ""]), encoding="utf-8")
    print(said())
