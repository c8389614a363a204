"""Which golden programs and tests of seconds run every day, and which take turns: a part of them each day.

Golden programs whose turn it is are `thorough`: `ci/check` runs them. Other tests whose turn it is run with the rest.
Those of another day's turn are marked `lengthy`, as those that take longest are: `ci/thorough` runs them all.
`python -m tests.every_day` says whose turn it is; `TFMINI_DAY=N` makes it another day's.
"""

import datetime
import json
import os
import textwrap

import pytest

from tests import recording, replay, scenes

TURNS = 4  # days until each has had its turn
# The processes of a run are of one day, though midnight may pass.
DAY = int(os.environ.setdefault("TFMINI_DAY", str(datetime.date.today().toordinal())))
# Bytes of what is recorded of a program: half of them are above, and take five times as long as the others.
LARGE = 20_000
LARGEST_OF_A_FAMILY = 120_000
LONG_SCENE = 6_000  # characters that are recorded: a third of the scenes, which take two thirds of their time
# Files of scenes that are long and yet quick: all of theirs run each day, together in 8 seconds.
QUICK_SCENES = (
    *("base_", "formats_", "graph_", "session_", "variables_", "train_checkpoints"),
    *("train_hooks", "train_objects", "train_optimizers", "train_profiles", "train_schedules"),
    *("train_sessions", "train_starting", "train_summary_programs", "train_supervisors"),
    "train_writers",
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

# Of each row of tests of seconds one runs, each day the next: whole programs and several processes, whose parts have
# tests of every day.
IN_TURN = (
    (
        "examples/test_examples.py::test_cluster",
        "examples/test_examples.py::test_char_rnn_learns_and_writes",
        "examples/test_examples.py::test_records_are_read_either_way_and_training_goes_on",
    ),
    (
        "examples/test_examples.py::test_records_that_are_killed_go_on",
        "examples/test_examples.py::test_digits_convnet_reads_98_of_100_and_draws",
        "examples/test_examples.py::test_census_is_exported_and_served",
    ),
    (
        "examples/test_examples.py::test_autoencoder_copies_better_than_two_components",
        "examples/test_examples.py::test_digits_keras_reads_most_and_is_read_again",
        "examples/test_examples.py::test_towers_train_on_what_devices_there_are",
    ),
    (
        "distribute/horovod/test_nccl_reductions.py::test_two_processes",
        "models/estimator/test_cluster_tasks.py::test_a_cluster_trains_evaluates_and_exports",
    ),
    (
        "distribute/horovod/test_elastic.py::test_a_rank_that_is_killed",
        "distribute/horovod/test_elastic.py::test_a_rank_that_comes",
        "distribute/horovod/test_elastic.py::test_a_rank_that_is_to_leave",
    ),
    (
        "distribute/horovod/test_elastic.py::test_ranks_on_machines_of_ray",
        "distribute/horovod/test_elastic.py::test_a_machine_of_ray_that_goes",
    ),
    (
        "distribute/horovod/test_recorded.py::test_steps_that_are_combined_by_adasum",
        "distribute/horovod/test_recorded.py::test_eager_execution",
    ),
    (
        "distribute/test_multi_worker_mirrored_strategy.py::test_keras_on_two_workers",
        "distribute/test_multi_worker_mirrored_strategy.py::test_an_estimator_on_two_workers",
    ),
    (
        "compiler/codegen/test_listing.py::test_why_a_node_is_in_no_cuda_graph",
        "compiler/codegen/test_listing.py::test_too_few_launches_are_no_graph",
    ),
    (
        "executor/capture/test_captured_loops.py::test_a_layer_between_loops",
        "executor/capture/test_capture.py::test_an_unrolled_lstm",
    ),
    (
        "executor/capture/test_graphs_of_plans.py::test_graphs_of_a_segment_share_their_memory",
        "executor/capture/test_graphs_of_plans.py::test_memory_stays_as_it_is",
    ),
    (
        "ci/test_bench_gpu.py::test_a_row_that_needs_no_card",
        "ci/test_bench.py::test_a_run_without_reference_prints_a_table",
    ),
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


def calls(groups):
    """Parameters for groups of recorded calls: a third of those with arguments that TensorFlow's tests do not give."""
    given = [group for group in groups if "-options-" not in group]
    return given + shares([group for group in groups if "-options-" in group], 3)


def scenes_of(room):
    """Parameters for the scenes of a room: of the long ones a third, unless they are quick."""
    count, found = 0, []
    for name, function, wanted in scenes.cases(room):
        marks = []
        if len(json.dumps(wanted)) > LONG_SCENE and not name.startswith(QUICK_SCENES):
            count += 1
            marks = [pytest.mark.lengthy] if (count - DAY) % 3 else []
        found.append(pytest.param(function, wanted, id=name, marks=marks))
    return found


def shares(values, of, first=0):
    """Parameters for these values: each has its turn on one of so many days, the first of them on that day."""
    return [
        value
        if (number - DAY + first) % of == 0
        else pytest.param(*_listed(value), marks=pytest.mark.lengthy)
        for number, value in enumerate(values)
    ]


def _listed(value):
    return value if isinstance(value, tuple) else (value,)


def of_other_days():
    """The tests of rows of IN_TURN that have their turn on another day."""
    return {name for row in IN_TURN for number, name in enumerate(row) if (number - DAY) % len(row)}


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
    lines.append("tests of several seconds, one of each row:")
    lines += [f"  {name}" for row in IN_TURN for name in row if name not in of_other_days()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(said())
