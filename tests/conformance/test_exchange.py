"""Each implementation continues from the other's checkpoints, to the same values: tests/conformance/exchange.

tests/golden/exchange holds TensorFlow 1.15.5's files for each model, and its own values
after continuing from them.
"""

import os
import subprocess

import pytest

import tfmini as tf
from tests.conformance import exchange
from tests.support import goldens
from tests.support.programs import comparing, recording

pytestmark = pytest.mark.usefixtures("quiet_logs")


def same(expected, actual):
    """Fails unless both implementations' values are close."""
    lines = []
    for part in expected:
        pairs = recording.leaves(expected[part]), recording.leaves(actual[part])
        lines += [f"{part}{line}" for line in comparing.value_differences(*pairs, 2e-5, "")]
    assert not lines, "\n".join(["expected is TensorFlow's", *lines])


def run_reference(reference, work, name, directory):
    command = [reference, "-W", "ignore", "-m", "tests.conformance.exchange", work, name, directory]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    root = os.path.dirname(recording.HERE)
    subprocess.run(command, check=True, cwd=root, env=environment, stderr=subprocess.DEVNULL)
    return exchange.read_values(directory)


@pytest.mark.parametrize("name", exchange.models())
def test_training_continues_from_tensorflow_files(name, tmp_path):
    goldens.extract(exchange.path_of_golden(name), tmp_path)
    same(exchange.read_values(tmp_path), exchange.use(tf, name, str(tmp_path)))


@pytest.mark.parametrize("name", exchange.models())
def test_training_continues_from_own_files_as_in_tensorflow(name, tmp_path):
    exchange.write(tf, name, str(tmp_path))
    recorded = goldens.read_files(exchange.path_of_golden(name))
    (tmp_path / "values.json").write_bytes(recorded["values.json"])
    same(exchange.read_values(tmp_path), exchange.use(tf, name, str(tmp_path)))
    files = [
        os.path.relpath(os.path.join(p, f), tmp_path) for p, _, fs in os.walk(tmp_path) for f in fs
    ]
    assert set(files) == set(recorded)


@pytest.mark.reference
@pytest.mark.parametrize("name", exchange.models())
def test_tensorflow_continues_from_tfmini_files(name, tmp_path, reference):
    exchange.write(tf, name, str(tmp_path))
    actual = run_reference(reference, "use", name, str(tmp_path))
    same(exchange.use(tf, name, str(tmp_path)), actual)


@pytest.mark.reference
@pytest.mark.parametrize("name", exchange.models())
def test_training_continues_from_newly_written_tensorflow_files(name, tmp_path, reference):
    expected = run_reference(reference, "write", name, str(tmp_path))
    same(expected, exchange.use(tf, name, str(tmp_path)))
