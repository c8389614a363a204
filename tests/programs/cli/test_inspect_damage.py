"""`inspect` on damaged files and unknown formats: it raises tf.errors."""

import gzip
import os
import random
import shutil
from pathlib import Path

import pytest

import tfmini as tf
from tests.formats.damage import COUNT, damaged_files
from tests.programs.cli.test_devices import tfmini
from tfmini._src.programs.cli.inspect import inspect_path
from tfmini._src.programs.cli.reports import as_json, as_text

GOLDEN = Path(__file__).parents[2] / "golden"


def refused(path, kind, text, **options):
    with pytest.raises(kind) as caught:
        inspect_path(str(path), **options)
    assert text in caught.value.message


def test_unknown_formats_are_rejected(tmp_path):
    unknown = tf.errors.InvalidArgumentError
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "garbage").write_bytes(random.Random(0).randbytes(5000))
    (tmp_path / "text").write_text("a text of somebody\n")
    (tmp_path / "gzip").write_bytes(gzip.compress(b"no record in it"))
    for name in ("garbage", "text", "gzip"):
        refused(tmp_path / name, unknown, "is not a checkpoint, graph")
    refused(tmp_path / "empty", unknown, "it is empty")
    refused(
        tmp_path, unknown, "contains no SavedModel, checkpoint or event file, only empty, garbage"
    )
    refused(tmp_path / "none", tf.errors.NotFoundError, "none; No such file or directory")
    (tmp_path / "checkpoint").write_text("nonsense")
    refused(tmp_path, unknown, "does not name a checkpoint")
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "gone"')
    refused(tmp_path, tf.errors.NotFoundError, "gone; No such file or directory")
    for itself in (".", "checkpoint", "../" + tmp_path.name):
        (tmp_path / "checkpoint").write_text(f'model_checkpoint_path: "{itself}"')
        refused(tmp_path, tf.errors.OpError, itself)
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", unknown, "pipe is neither a file nor a directory")


def test_checkpoint_parts_are_rejected():
    model = GOLDEN / "inspected" / "model-1"
    unknown = tf.errors.InvalidArgumentError
    refused(
        f"{model}.data-00000-of-00001", unknown, f"the table of its checkpoint is {model}.index"
    )
    text = "Key layer/weigth not found in checkpoint\nPerhaps layer/weights"
    refused(model, tf.errors.NotFoundError, text, tensor="layer/weigth")
    frozen = GOLDEN / "inspected" / "frozen.pb"
    refused(frozen, unknown, "frozen.pb is not a checkpoint but a graph", tensor="x")
    refused(model, unknown, "frozen.pb is not a checkpoint but a graph", diff=str(frozen))


def test_renamed_checkpoint_table(tmp_path):
    shutil.copy(GOLDEN / "inspected" / "model-1.index", tmp_path / "table")
    refused(tmp_path / "table", tf.errors.OpError, "table")


@pytest.mark.parametrize(
    "name, cut", [("records", 20), ("records.gzip", 20), ("examples", 20), ("events", 80)]
)
def test_records_before_damage_are_shown(name, cut, tmp_path):
    data = (GOLDEN / "records" / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) - cut])
    process = tfmini("inspect", str(tmp_path / name))
    assert process.returncode == 1
    assert "truncated record at" in process.stderr and name in process.stderr
    assert process.stdout.splitlines()[1][0] in "123456789"


def test_truncated_tail_is_counted(tmp_path):
    data = (GOLDEN / "records" / "records").read_bytes()
    (tmp_path / "records").write_bytes(data + b"12345")
    report = inspect_path(str(tmp_path / "records"))
    assert report.facts["trailing_bytes"] == 5 and not report.damage_text
    assert "5 bytes behind the last record" in report.lines[1]


@pytest.mark.damage
@pytest.mark.parametrize(
    "name",
    [
        "inspected/frozen.pb",
        "inspected/model.meta",
        "inspected/saved/saved_model.pb",
        "inspected/model-1.index",
        "checkpoints/old",
        "records/events",
        "records/examples",
        "records/records.gzip",
    ],
)
def test_random_damage_raises_library_errors(name, tmp_path):
    """It raises tf.errors, or returns a printable report."""
    path = tmp_path / os.path.basename(name)
    if name.endswith(".index"):
        data = "model-1.data-00000-of-00001"
        shutil.copy(GOLDEN / "inspected" / data, tmp_path / data)
    reports = 0
    for _ in damaged_files(path, (GOLDEN / name).read_bytes(), cut=0.1):
        try:
            report = inspect_path(str(path))
        except tf.errors.OpError:
            continue
        reports += 1
        if reports % 10 == 0:
            as_text(report)
            as_json(report)
    assert reports < COUNT
