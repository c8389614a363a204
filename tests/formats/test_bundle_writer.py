"""Checkpoints are written atomically, however writing stops; several are merged into one."""

import subprocess
import sys

import pytest

from tests.formats.writing import VALUES, abandoned_ending, names, write
from tfmini import errors
from tfmini._src.formats.atomic_write import temporary_ending
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_writer import BundleWriter, merge_bundles


@pytest.mark.parametrize("directory", ["", "new"])
def test_last_directory_is_created(tmp_path, directory):
    write(tmp_path / directory / "model", VALUES)
    assert (Bundle(str(tmp_path / directory / "model")).read("a") == VALUES["a"]).all()


def test_parent_directories_are_not_created(tmp_path):
    with pytest.raises(errors.NotFoundError, match="new/deep; No such file or directory"):
        BundleWriter(str(tmp_path / "new" / "deep" / "model"))
    assert not list(tmp_path.iterdir())


def test_file_in_place_of_directory(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.FailedPreconditionError, match="Not a directory"):
        BundleWriter(str(tmp_path / "file" / "model"))


def test_directory_in_place_of_table(tmp_path):
    (tmp_path / "model.index").mkdir()
    with pytest.raises(errors.FailedPreconditionError, match="Is a directory"):
        write(tmp_path / "model", VALUES)


def test_active_writers_files_are_kept(tmp_path):
    mine = tmp_path / f"model.data-00000-of-00001{temporary_ending()}"
    foreign = tmp_path / "model.data-00000-of-00001.tempstate4213652336685417253"  # TensorFlow's
    gone = tmp_path / f"model.data-00000-of-00001{abandoned_ending()}"
    for path in (mine, foreign, gone):
        path.write_text("")
    write(tmp_path / "other", VALUES)
    assert mine.exists() and foreign.exists() and not gone.exists()


def test_abandoned_files_in_working_directory_are_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gone = tmp_path / f"model.data-00000-of-00001{abandoned_ending()}"
    gone.write_text("")
    write("other", VALUES)
    assert sorted(names(tmp_path)) == ["other.data-00000-of-00001", "other.index"]


def parts(tmp_path, shards):
    directory = tmp_path / ("model_temp_" + "0" * 32)
    prefixes = [str(directory / f"part-{i:05d}-of-{len(shards):05d}") for i in range(len(shards))]
    for prefix, values in zip(prefixes, shards):
        write(prefix, values)
    return prefixes


def test_bundles_are_merged(tmp_path):
    prefixes = parts(tmp_path, [{"a": VALUES["a"]}, {"b": VALUES["b"]}])
    merge_bundles(prefixes, str(tmp_path / "model"), removes_directories=True)
    assert names(tmp_path) == [
        "model.data-00000-of-00002",
        "model.data-00001-of-00002",
        "model.index",
    ]
    bundle = Bundle(str(tmp_path / "model"))
    for name, value in VALUES.items():
        assert (bundle.read(name) == value).all()


def test_merging_duplicate_keys_is_refused(tmp_path):
    prefixes = parts(tmp_path, [VALUES, {"b": VALUES["b"]}])
    with pytest.raises(errors.InvalidArgumentError, match="Duplicate tensor keyed by b encoun"):
        merge_bundles(prefixes, str(tmp_path / "model"), removes_directories=True)
    assert (Bundle(prefixes[0]).read("a") == VALUES["a"]).all()


def test_dead_writers_files_are_removed(tmp_path):
    prefixes = parts(tmp_path, [VALUES])
    directory = tmp_path / ("model_temp_" + "0" * 32)
    write(tmp_path / "other", VALUES)
    assert Bundle(prefixes[0]).read("a").shape == (5,)  # this process is the one saving there
    (mark,) = directory.glob("part.tempstate*")
    mark.rename(directory / f"part{abandoned_ending()}")
    write(tmp_path / "other", VALUES)
    assert names(tmp_path) == ["other.data-00000-of-00001", "other.index"]


@pytest.mark.parametrize("limit", [10, 1000])
def test_full_disk_keeps_existing_checkpoint(tmp_path, limit):
    """Simulated by a file size limit: the error names the file, and the existing one stays intact."""
    code = f"""
import resource, sys
import numpy as np
from tests.formats.writing import VALUES, abandoned_ending, names, write
from tfmini import errors
from tfmini._src.formats.bundle_writer import BundleWriter
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    with BundleWriter(sys.argv[1]) as writer:
        writer.add("a", np.zeros({limit} // 8 - 1))
        writer.add("b", np.zeros(5))
        for i in range(99):
            writer.add("n" * 99 + str(i), np.zeros(0))
        writer.finish()
except errors.OutOfRangeError as error:
    print(error.message)
"""
    prefix = str(tmp_path / "model")
    write(prefix, VALUES)
    output = subprocess.check_output([sys.executable, "-c", code, prefix], text=True)
    assert "File too large" in output and prefix in output
    assert names(tmp_path) == ["model.data-00000-of-00001", "model.index"]
    assert (Bundle(prefix).read("a") == VALUES["a"]).all()


def test_unwritable_directory(tmp_path):
    """A privileged user drops its rights first."""
    code = """
import os, sys
from tests.formats.writing import VALUES, abandoned_ending, names, write
from tfmini import errors
from tfmini._src.formats.bundle_writer import BundleWriter
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    BundleWriter(sys.argv[1])
except errors.PermissionDeniedError as error:
    print(error.message)
"""
    directory = tmp_path / "closed"
    directory.mkdir(mode=0o555)
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(0o755)
    output = subprocess.check_output([sys.executable, "-c", code, str(directory / "m")], text=True)
    assert "Permission denied" in output


def test_empty_shard_directory_is_removed(tmp_path):
    (tmp_path / ("model_temp_" + "a" * 32)).mkdir()
    (tmp_path / "model_temp_other").mkdir()
    write(tmp_path / "model", VALUES)
    assert "model_temp_other" in names(tmp_path) and len(names(tmp_path)) == 3
