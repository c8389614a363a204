"""Interrupted saves: readers find the matching files and modify none, the next save cleans up."""

import os
import shutil
import sys

import numpy as np
import pytest

from tests.formats.writing import VALUES, abandoned_ending, names, write
from tfmini import errors
from tfmini._src.formats import atomic_write, bundle_writer
from tfmini._src.formats.bundle_files import data_path, index_path
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.formats.bundle_writer import BundleWriter, merge_bundles

LARGER = {"a": np.zeros(7)}  # than VALUES has
SAME_SIZE = {"a": np.full(5, 9.0), "b": np.zeros([2, 3], np.int32)}


def contents(directory):
    return {name: (directory / name).read_bytes() for name in names(directory)}


def cut_short(directory, values, ending, begun=True):
    """A checkpoint of VALUES, over which a writer of `values` was killed; returns its prefix."""
    prefix = str(directory / "model")
    write(prefix, VALUES)
    (directory / "new").mkdir()
    write(directory / "new" / "model", values)
    target = data_path(prefix, 0, 1) + ("" if begun else ending)
    os.replace(data_path(str(directory / "new" / "model"), 0, 1), target)
    os.replace(index_path(str(directory / "new" / "model")), index_path(prefix) + ending)
    (directory / "new").rmdir()
    return prefix


@pytest.mark.parametrize("values", [LARGER, SAME_SIZE], ids=["larger", "of the same size"])
@pytest.mark.parametrize("begun", [False, True])
def test_interrupted_rename(tmp_path, begun, values):
    """If all names are temporary, the save has no effect; once the shard is renamed, it is complete."""
    prefix = cut_short(tmp_path, values, abandoned_ending(), begun)
    before = contents(tmp_path)
    expected = values if begun else VALUES
    assert (open_bundle(prefix).read("a") == expected["a"]).all()
    assert contents(tmp_path) == before  # reading modifies nothing
    write(tmp_path / "other", VALUES)
    assert (open_bundle(prefix).read("a") == expected["a"]).all()
    assert names(tmp_path) == sorted(
        f"{name}.{kind}" for name in ("model", "other") for kind in ("data-00000-of-00001", "index")
    )


def test_next_writer_completes_interrupted_save(tmp_path):
    ending = abandoned_ending()
    write(tmp_path / "model", VALUES)
    os.replace(tmp_path / "model.index", tmp_path / f"model.index{ending}")
    write(tmp_path / "other", VALUES)
    assert (tmp_path / "model.index").exists()


def test_partially_renamed_shards(tmp_path):
    ending = abandoned_ending()
    for name, values in (("x", {"a": VALUES["a"]}), ("y", {"b": VALUES["b"]})):
        write(tmp_path / name, values)
    prefix = str(tmp_path / "model")
    merge_bundles([str(tmp_path / "x"), str(tmp_path / "y")], prefix, removes_directories=False)
    for path in (data_path(prefix, 1, 2), index_path(prefix)):
        os.replace(path, path + ending)
    bundle = open_bundle(prefix)
    assert all((bundle.read(name) == value).all() for name, value in VALUES.items())
    write(tmp_path / "other", VALUES)
    assert not [name for name in names(tmp_path) if ending in name]
    assert (open_bundle(prefix).read("b") == VALUES["b"]).all()


def garbage(directory, ending):
    (directory / f"model.index{ending}").write_bytes(b"garbage" * 20)


def empty_with_many_shards(directory, ending):
    (directory / f"model.index{ending}").write_bytes(b"")
    (directory / f"model.data-00000-of-99999999999{ending}").write_bytes(b"")


def table_of_another(directory, ending):
    """A complete table for the right size, but not for the existing shard."""
    write(directory / "x", SAME_SIZE)
    os.replace(directory / "x.index", directory / f"model.index{ending}")
    (directory / "x.data-00000-of-00001").unlink()


def whole_beside_whole(directory, ending):
    """A checkpoint of two shards, only its table not renamed: it must not replace the valid one."""
    for name, value in VALUES.items():
        write(directory / name, {name: value + 1})
    prefixes = [str(directory / name) for name in VALUES]
    merge_bundles(prefixes, str(directory / "x"), removes_directories=False)
    for shard in range(2):
        os.replace(
            data_path(str(directory / "x"), shard, 2), data_path(str(directory / "model"), shard, 2)
        )
    os.replace(directory / "x.index", directory / f"model.index{ending}")


LEFT = [garbage, empty_with_many_shards, table_of_another, whole_beside_whole]


@pytest.mark.parametrize("left", LEFT)
def test_valid_table_is_not_replaced(tmp_path, left):
    write(tmp_path / "model", VALUES)
    table = (tmp_path / "model.index").read_bytes()
    left(tmp_path, abandoned_ending())
    before = contents(tmp_path)
    for save in (lambda: None, lambda: write(tmp_path / "other", VALUES)):
        save()
        bundle = open_bundle(str(tmp_path / "model"))
        assert all((bundle.read(name) == value).all() for name, value in VALUES.items())
        assert (tmp_path / "model.index").read_bytes() == table
        if left is not None:
            assert contents(tmp_path) == before
            left = None
    assert not [name for name in names(tmp_path) if "tempstate" in name]


@pytest.mark.parametrize(
    "ending",
    [
        ".tempstate1-00000000-00000000-0",  # of another machine
        ".tempstate99999999999999999999-{machine}-00000000-0",  # no process has this id
        ".tempstate9999999999-{machine}-00000000-0",
        ".tempstate0-{machine}-00000000-0",
        ".tempstate²-{machine}-00000000-0",
    ],
)
def test_unknown_temporary_files_are_kept(tmp_path, ending):
    machine = atomic_write.temporary_ending().split("-")[1]
    cut_short(tmp_path, LARGER, ending.format(machine=machine))
    before = contents(tmp_path)
    write(tmp_path / "other", VALUES)
    assert contents(tmp_path).items() >= before.items()


def test_failed_rename_removes_nothing(tmp_path, monkeypatch):
    prefix = cut_short(tmp_path, LARGER, abandoned_ending())

    def refused(source, target):
        raise PermissionError(1, "")

    before = contents(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refused)
        with pytest.raises(errors.PermissionDeniedError, match="other; Operation not permitted"):
            write(tmp_path / "other", VALUES)
    assert contents(tmp_path) == before
    assert len(open_bundle(prefix).read("a")) == 7


def test_temporary_names_are_unpredictable():
    endings = {atomic_write.temporary_ending() for _ in range(100)}
    assert len({ending.rpartition("-")[2] for ending in endings}) == 100
    assert all(len(ending.rpartition("-")[2]) == 16 for ending in endings)


@pytest.mark.parametrize("planted", ["data-00000-of-00001", "index"])
def test_bundle_writer_does_not_follow_links(tmp_path, monkeypatch, planted):
    """If a link with the guessed name is created, its target stays unchanged."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(bundle_writer, "temporary_ending", lambda: ".tempstate1-foretold")
    (tmp_path / f"model.{planted}.tempstate1-foretold").symlink_to(victim)
    with pytest.raises(errors.AlreadyExistsError, match=".tempstate1-foretold; File exists"):
        write(tmp_path / "model", VALUES)
    assert victim.read_text() == "precious"


def test_atomic_write_does_not_follow_links(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(atomic_write, "temporary_ending", lambda: ".foretold")
    (tmp_path / "checkpoint.foretold").symlink_to(victim)
    with pytest.raises(errors.AlreadyExistsError, match="checkpoint.foretold; File exists"):
        with atomic_write.atomic_write(str(tmp_path / "checkpoint")) as file:
            file.write(b"other")
    assert victim.read_text() == "precious"


def test_shard_directory_must_not_be_a_link(tmp_path):
    """Its name is in the graph."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "part-00000-of-00001.index").write_text("precious")
    directory = tmp_path / ("model_temp_" + "0" * 32)
    directory.symlink_to(elsewhere)
    with pytest.raises(errors.FailedPreconditionError, match="model_temp_"):
        BundleWriter(str(directory / "part-00000-of-00001"))
    write(tmp_path / "other", VALUES)
    assert names(elsewhere) == ["part-00000-of-00001.index"]
    shutil.rmtree(elsewhere)


def test_windows_processes_are_not_signalled(monkeypatch):
    """There `os.kill(process, 0)` kills the process."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a process is killed"))
    assert not atomic_write.is_abandoned("checkpoint" + abandoned_ending())
