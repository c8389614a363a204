"""tfmini builds the same graphs and computes the same values as TensorFlow 1.15.5.

tests/golden/programs holds TensorFlow's results for each program of tests/conformance/recorded_programs;
`ci/record compare NAME` shows all differences of one of them.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import tfmini as tf
from tests.support import cases, tiers
from tests.support.programs import compare, recording, replay
from tfmini._src.compiler.program import debug

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", tiers.programs())
def test_same_graph_and_values(name):
    lines = compare.differences(name)
    assert not lines, "\n".join([f"all differences: ci/record compare {name}", *lines[:20]])


@pytest.mark.parametrize("name", tiers.graphs())
def test_runs_tensorflow_graph(name, monkeypatch):
    """From the file alone; no op reads or writes another's array."""
    monkeypatch.setattr(debug, "FLAGS", debug.FLAGS | {"alias"})
    graph = recording.read(recording.recording_path(name), tf.GraphDef)["graph"]
    steps = replay.golden_steps(name)
    lines = replay.differences(steps, replay.replay(tf, graph, steps), recording.tolerance(name))
    assert not lines, "\n".join(lines[:20])


@pytest.mark.full
@pytest.mark.parametrize("group", range(4))
def test_standalone_programs_load_required_modules(group):
    """The smallest of each family, in four processes."""
    names = tiers.smallest_of_families(recording.names_in("conformance/recorded_programs"))[
        group::4
    ]
    command = [sys.executable, "-m", "tests.support.programs.alone", *names]
    # The records name files in TensorFlow's folder.
    environment = {key: value for key, value in os.environ.items() if key != "TMPDIR"}
    process = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr[-2000:]


@pytest.mark.reference
def test_tensorflow_runs_tfmini_graphs(tmp_path, reference):
    for name in replay.programs():
        recording.build(tf, name)
        graph = tf.get_default_graph().as_graph_def().SerializeToString()
        (tmp_path / f"{name}.pb").write_bytes(graph)
    command = [reference, "-W", "ignore", "-m", "tests.support.programs.replay", tmp_path]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    root = os.path.dirname(recording.HERE)
    subprocess.run(command, check=True, cwd=root, env=environment)
    lines = []
    for name in replay.programs():
        results = replay.results(tmp_path, name)
        result = replay.differences(replay.golden_steps(name), results, recording.tolerance(name))
        lines += [f"{name}: {line}" for line in result[:3]]
    assert not lines, "\n".join(lines)


# Programs without steps: only their graphs are compared.
WITHOUT_STEPS = {
    "distribute_parameter_server": "devices of other machines",
    "graph_devices": "devices of other machines",
    "keras_replicas": "kernels that a CPU does not have",
    "cudnn_nets": "kernels that a CPU does not have",
    "cudnn_layers": "kernels that a CPU does not have",
    "graph_nccl": "kernels that a CPU does not have",
    "tensor_arrays_shapes": "static shapes, which stand in its facts",
}


PROGRAMS = cases.groups({"programs": recording.names_in("conformance/recorded_programs")})


@cases.parametrize(PROGRAMS)
def test_excluded_programs_have_a_reason(group, check_each):
    check_each(group, check_exclusions)


def check_exclusions(name):
    """Its steps; the last digits of its values, beyond the default."""
    assert bool(recording.read(recording.recording_path(name))["steps"]) is (
        name not in WITHOUT_STEPS
    )
    if recording.tolerance(name) > 1e-5:
        assert re.search(r"^TOLERANCE = .*  # \w", recording.source(name), re.MULTILINE)
