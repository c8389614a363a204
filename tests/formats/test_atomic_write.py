"""Atomically written files: their temporary names, and leftovers of dead processes."""

import os
import re

import pytest

import tfmini as tf
from tfmini._src.formats import atomic_write
from tfmini._src.formats.atomic_write import is_abandoned, is_temporary, temporary_ending

GONE = 2**22 + 7  # above Linux's range of process ids


def ending(process=None, machine=None, life=None, rest="0a"):
    process = os.getpid() if process is None else process
    machine = atomic_write._machine() if machine is None else machine
    return f"f.tempstate{process}-{machine}-{life or atomic_write._PROCESS_ID}-{rest}"


def test_temporary_names_are_unique():
    one, other = temporary_ending(), temporary_ending()
    assert one != other and is_temporary("f" + one) and not is_abandoned("f" + one)
    assert re.fullmatch(r"\.tempstate\d+-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{16}", one)
    assert is_temporary("a.tempstate.b" + one)  # the last one wins


def test_other_names_are_not_temporary():
    for name in (
        *("f", "", ".tempstate", "f.tempstate12", ending(process="0")),
        *(ending(process="x"), ending(rest=""), ending(rest="G"), ending() + "z"),
        *(ending(machine="123"), ending(process="1" * 11), ending() + ".tempstate"),
    ):
        assert not is_temporary(name) and not is_abandoned(name), name


@pytest.mark.parametrize(
    "parts, expected",
    [
        ({}, False),
        ({"life": "00000000"}, True),  # of an earlier process with this one's id
        ({"process": GONE}, True),
        ({"process": GONE, "machine": "00000000"}, False),
        ({"process": 1, "life": "00000000"}, False),  # of a running process
        ({"process": 10**10 - 1}, False),  # an id that no process has
    ],
)
def test_abandoned_files_are_recognized(parts, expected):
    name = ending(**parts)
    assert is_temporary(name) and is_abandoned(name) is expected


def test_foreign_process_counts_as_alive(monkeypatch):
    def forbidden(process, number):
        assert (process, number) == (GONE, 0)
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    assert not is_abandoned(ending(process=GONE))


def test_abandoned_files_are_removed(tmp_path):
    for name in (ending(process=GONE), ending(), "kept", "f.tempstate1"):
        (tmp_path / name).write_text("x")
    (tmp_path / ending(process=GONE, rest="0b")).mkdir()  # not a file: kept
    atomic_write.remove_abandoned(str(tmp_path))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {ending(), "kept", "f.tempstate1", ending(process=GONE, rest="0b")}
    atomic_write.remove_abandoned(str(tmp_path / "none"))
    assert atomic_write.list_names(str(tmp_path / "none")) == []


@pytest.mark.parametrize("syncs", [False, True])
def test_file_is_renamed_on_close(tmp_path, syncs, monkeypatch):
    path, synced = tmp_path / "f", []
    monkeypatch.setattr(os, "fsync", synced.append)
    path.write_text("before")
    with atomic_write.atomic_write(str(path), syncs) as file:
        file.write(b"after")
        assert path.read_text() == "before"
        (other,) = [each.name for each in tmp_path.iterdir() if each != path]
        assert is_temporary(other) and other.startswith("f.tempstate")
    assert path.read_text() == "after" and len(synced) == syncs
    with pytest.raises(KeyError, match="mine"), atomic_write.atomic_write(str(path)) as file:
        file.write(b"never")
        raise KeyError("mine")
    assert path.read_text() == "after" and [each.name for each in tmp_path.iterdir()] == ["f"]


def test_fifo_is_written_in_place(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
        with atomic_write.atomic_write(str(path)) as file:
            file.write(b"a")
        assert pipe.read() == b"a" and path.is_fifo()


def test_system_errors_are_translated(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        with atomic_write.atomic_write(str(tmp_path / "none" / "f")):
            pass
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_text("x")
    with pytest.raises(tf.errors.OpError, match="d; "):
        with atomic_write.atomic_write(str(tmp_path / "d")) as file:
            file.write(b"a")
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
    (tmp_path / "f").write_text("x")
    with pytest.raises(FileExistsError, match="f"):
        atomic_write.create_file(str(tmp_path / "f"))


def test_make_directory_and_list_names(tmp_path):
    directory = tmp_path / "a"
    atomic_write.make_directory(str(directory))
    atomic_write.make_directory(str(directory))
    atomic_write.make_directory("")
    assert directory.is_dir() and atomic_write.list_names(str(tmp_path)) == ["a"]
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        atomic_write.make_directory(str(tmp_path / "b" / "c"))
