"""TensorFlow 1.15.5's checkpoints are restored to equal values, and TensorFlow restores tfmini's."""

import os
import subprocess

import pytest

import tfmini as tf
from tests.conformance import checkpoint_exchange
from tests.support import goldens
from tests.support.programs import recording

ROUNDED = (checkpoint_exchange.slots, checkpoint_exchange.tables)
NAMES = [model.__name__ for model in checkpoint_exchange.MODELS]


def run_reference(reference, *arguments):
    command = [
        reference,
        "-W",
        "ignore",
        "-m",
        "tests.conformance.checkpoint_exchange",
        *map(str, arguments),
    ]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    root = os.path.dirname(recording.HERE)
    subprocess.run(command, check=True, cwd=root, env=environment, stderr=subprocess.DEVNULL)


def values(path):
    return checkpoint_exchange.load(str(path))


@pytest.mark.parametrize("model", checkpoint_exchange.MODELS, ids=NAMES)
def test_tensorflow_checkpoint_is_restored(model, tmp_path):
    path = checkpoint_exchange.path_of_golden(model)
    goldens.extract(path, tmp_path)
    theirs = {name for name in goldens.read_files(path) if name.startswith("model-")}
    got = checkpoint_exchange.read(tf, model, str(tmp_path))
    assert checkpoint_exchange.differences(values(tmp_path / "values.npz"), got) == []
    # Saved here, it yields the same files, byte for byte if values and key order are bit-identical.
    again = tmp_path / "again"
    again.mkdir()
    checkpoint_exchange.write(tf, model, str(again))
    assert {p.name for p in again.iterdir() if p.suffix != ".meta"} == theirs
    for name in theirs if model not in ROUNDED else ():
        assert (again / name).read_bytes() == (tmp_path / name).read_bytes()


@pytest.mark.reference
def test_tensorflow_restores_written_checkpoint(tmp_path, reference):
    want = {}
    for model in checkpoint_exchange.MODELS:
        folder = tmp_path / model.__name__
        folder.mkdir()
        want[model.__name__] = checkpoint_exchange.write(tf, model, str(folder))
    run_reference(reference, "read", tmp_path)
    for name in NAMES:
        got = values(tmp_path / name / "restored.npz")
        assert checkpoint_exchange.differences(want[name], got) == []


@pytest.mark.reference
def test_newly_written_tensorflow_checkpoint_is_restored(tmp_path, reference):
    run_reference(reference, "write", tmp_path)
    for model in checkpoint_exchange.MODELS:
        folder = tmp_path / model.__name__
        want = values(folder / "values.npz")
        assert (
            checkpoint_exchange.differences(want, checkpoint_exchange.read(tf, model, str(folder)))
            == []
        )
