"""A save over an existing checkpoint leaves the old or the new one readable, whichever operation fails."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.cluster.tasks import ROOT
from tests.formats.interrupted_saves import FINISHED, NEW, OLD, REFUSED, SAVES, UNTOUCHED
from tests.formats.writing import names, write
from tfmini import errors
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_recovery import open_bundle

SHARDS = {"one": 1, "merged": 2}
READ = """
import json, sys
import tensorflow as tf
found = []
for prefix in sys.argv[1:]:
    reader = tf.train.NewCheckpointReader(prefix)
    found.append({name: reader.get_tensor(name).tolist() for name in "ab"})
print(json.dumps(found))
"""


def files(kind):
    shards = SHARDS[kind]
    return [f"model.data-{i:05d}-of-{shards:05d}" for i in range(shards)] + ["model.index"]


def values_of(bundle):
    return {name: bundle.read(name) for name in OLD}


def is_same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in OLD)


@pytest.fixture(params=["one", pytest.param("merged", marks=pytest.mark.full)])
def kind(request):
    return request.param


@pytest.fixture(params=["fail", "kill"])
def action(request):
    return request.param


@pytest.fixture
def interruptions(tmp_path, action, kind):
    """(prefix, exit status) of the save interrupted at each operation."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.formats.interrupted_saves"]
    output = subprocess.check_output([*command, str(tmp_path), action, kind], text=True, cwd=ROOT)
    *rows, last = [line.split() for line in output.splitlines()]
    assert int(last[1]) == UNTOUCHED and len(rows) > 6
    return [(tmp_path / number / "model", int(status)) for number, status in rows]


def test_table_matches_shards_at_every_interruption(interruptions, action, kind, monkeypatch):
    stages = []
    for prefix, status in interruptions:
        assert status in ((-signal.SIGKILL,) if action == "kill" else (REFUSED, FINISHED))
        for bundle in (Bundle(str(prefix)), open_bundle(str(prefix))):  # without recovery, with it
            values = values_of(bundle)
            assert is_same(values, OLD) or is_same(values, NEW), prefix
        stages.append(is_same(values, NEW))
        assert status != FINISHED or stages[-1]
    assert set(stages) == {False, True}
    assert action == "fail" or stages == sorted(stages)  # some failures cost only a copy
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    for prefix, _ in interruptions:  # the next save removes the previous one
        SAVES[kind](prefix, OLD)
        assert names(prefix.parent) == files(kind)
        assert is_same(values_of(Bundle(str(prefix))), OLD)


@pytest.mark.reference
def test_tensorflow_reads_interrupted_save(interruptions, reference):
    prefixes = [str(prefix) for prefix, _ in interruptions]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [str(reference), "-W", "ignore", "-c", READ, *prefixes]
    output = subprocess.check_output(command, text=True, env=environment)
    for values in json.loads(output.splitlines()[-1]):
        assert is_same(values, OLD) or is_same(values, NEW)


def test_file_system_without_hard_links(tmp_path, monkeypatch):
    def refused(*paths):
        raise PermissionError(1, "")

    monkeypatch.setattr(os, "link", refused)
    for values in (OLD, NEW):
        write(tmp_path / "model", values, syncs=True)
    assert names(tmp_path) == files("one")
    assert is_same(values_of(Bundle(str(tmp_path / "model"))), NEW)


def test_threads_save_same_checkpoint(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: write(tmp_path / "model", (OLD, NEW)[number % 2]), range(100)))
    assert names(tmp_path) == files("one")
    values = values_of(Bundle(str(tmp_path / "model")))
    assert is_same(values, OLD) or is_same(values, NEW)


def test_damaged_table_is_replaced(tmp_path):
    write(tmp_path / "model", OLD)
    (tmp_path / "model.index").write_bytes(b"damage")
    write(tmp_path / "model", NEW)
    assert is_same(values_of(Bundle(str(tmp_path / "model"))), NEW)


def test_old_checkpoint_is_readable_until_table_is_replaced(tmp_path, monkeypatch):
    SAVES["merged"](tmp_path / "model", OLD)
    replace = os.replace

    def refused(source, target):
        if target.endswith("model.index"):
            raise OSError(5, "")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(errors.UnknownError, match="model; Input/output error"):
        write(tmp_path / "model", NEW)
    assert is_same(values_of(Bundle(str(tmp_path / "model"))), OLD)
