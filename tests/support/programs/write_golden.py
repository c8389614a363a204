"""Generates tests/golden/ with TensorFlow 1.15.5; `ci/record` runs this under Python 3.7.

Each program, snippet and file of bad input runs in a separate process (TensorFlow counts py_funcs and the like per
process), forked after TensorFlow's import. So does `api`, the list of all public names.
"""

import importlib
import os
import sys
import tempfile
import traceback

import tensorflow as tf

from tests.conformance import (
    bad_input,
    checkpoint_exchange,
    deprecations,
    exchange,
    placements,
    public_names,
    scenes,
    short_programs,
)
from tests.formats import file_cases, write_golden as write_golden_checkpoints, write_golden_records
from tests.programs.cli import write_golden as write_inspected_files
from tests.programs.compat import write_golden as write_golden_tools
from tests.saved_model import write_golden as write_golden_models
from tests.session.eager import recorded
from tests.support import goldens, snippets
from tests.support.programs import recording
from tests.train import meta_graph as meta_graphs
from tests.train.object_checkpoint import trackables

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)


def write_program(name):
    recording.write(
        recording.record(tf, name), recording.recording_path(name), tf.compat.v1.GraphDef
    )


def write_snippet(name):
    with open(snippets.path_of_golden(name), "w") as out:
        out.write(snippets.run_snippet(name, tf))


def write_bad_input(name):
    module = importlib.import_module("tests.conformance.bad_input." + name)
    rows = {case: bad_input.outcome(tf, make)[0] for case, make in bad_input.cases(module)}
    goldens.write(bad_input.path_of_golden(name), rows, sort_keys=True)


def write_placements(name):
    module = importlib.import_module("tests.conformance.placements." + name)
    if placements.needs_gpu_kernels(module) and not tf.test.is_built_with_cuda():
        print(f"{name}: left as it is, TFMINI_REFERENCE_GPU and ci/record gpu_placements write it")
        return
    goldens.write(placements.path_of_golden(name), placements.written(tf, module), sort_keys=True)


def write_meta_graphs(name):
    module = importlib.import_module("tests.train.meta_graph." + name)
    meta_graphs.write(tf, module, meta_graphs.path_of_golden(name))


def write_exchange(name):
    with tempfile.TemporaryDirectory() as directory:
        exchange.write(tf, name, directory)
        exchange.write_values(exchange.use(tf, name, directory), directory)
        goldens.write_files(exchange.path_of_golden(name), goldens.folder_files(directory))


def write_scenes(name):
    scenes.write(tf, name)


KINDS = [
    ("conformance/recorded_programs", write_program),
    ("conformance/seeds/snippets", write_snippet),
    ("conformance/bad_input", write_bad_input),
    ("conformance/placements", write_placements),
    ("train/meta_graph", write_meta_graphs),
    ("conformance/exchange", write_exchange),
    ("conformance/scenes", write_scenes),
]


def write_api(name):
    public_names.write(tf)


def write_deprecations(name):
    deprecations.write(tf)


def write_records(name):
    write_golden_records.write()


def write_files(name):
    file_cases.write(tf)


def write_trackables(name):
    result = {case: trackables.described(tf, case) for case in trackables.CASES}
    goldens.write(trackables.RECORD, result)


def write_short_programs(name):
    with tempfile.TemporaryDirectory() as directory:
        short_programs.in_folder(directory)
        result = short_programs.records(tf, short_programs.packages())
    goldens.write(short_programs.RECORD, result, sort_keys=True)


def write_inspected(name):
    write_inspected_files.write()


def write_checkpoints(name):
    write_golden_checkpoints.write()
    checkpoint_exchange.main(tf, "golden")


def write_second_models(name):
    write_golden_models.write()


def write_eager(name):
    recorded.write(tf)


def write_tools(name):
    write_golden_tools.write()


def in_a_fork(work, name):
    """Runs work(name) in a child process with a temporary folder; returns whether it succeeded."""
    with tempfile.TemporaryDirectory() as directory:
        child = os.fork()
        if child:
            return os.waitpid(child, 0)[1] == 0
        run_and_exit(work, name, directory)


def run_and_exit(work, name, folder):
    try:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        work(name)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def main(names):
    known = [(name, work) for directory, work in KINDS for name in recording.names_in(directory)]
    known += [("api", write_api), ("records", write_records), ("inspected", write_inspected)]
    known += [("files", write_files), ("deprecations", write_deprecations)]
    known += [("trackables", write_trackables), ("short_programs", write_short_programs)]
    known += [("checkpoint_files", write_checkpoints), ("second_models", write_second_models)]
    known += [("tools", write_tools), ("eager", write_eager)]
    unknown = set(names) - {name for name, _ in known}
    if unknown:
        sys.exit(f"no such name: {', '.join(sorted(unknown))}")
    todo = [(name, work) for name, work in known if not names or name in names]
    failed = [name for name, work in todo if not in_a_fork(work, name)]
    print(f"{len(todo) - len(failed)} written, {len(failed)} failed", *failed, sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
