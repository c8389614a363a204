"""Export folders and their garbage collection."""

import os

import pytest

import tfmini as tf
from tfmini._src.contrib.learn import (
    export_gc,
    export_strategy,
)

pytestmark = pytest.mark.filterwarnings("ignore")


def test_filters(tmp_path):
    for version in (0, 3, 4, 5, 9):
        (tmp_path / str(version)).mkdir()
    (tmp_path / "notes").mkdir()

    def parse(path):
        name = os.path.basename(path.path)
        return path._replace(export_version=int(name)) if name.isdigit() else None

    paths = export_gc.get_paths(str(tmp_path), parse)

    def picked(keep):
        return sorted(path.export_version for path in keep(paths))

    assert picked(lambda result: result) == [0, 3, 4, 5, 9]
    largest = export_gc.largest_export_versions(2)
    assert picked(largest) == [5, 9]
    assert picked(export_gc.negation(largest)) == [0, 3, 4]
    assert picked(export_gc.one_of_every_n_export_versions(4)) == [4, 5, 9]
    assert picked(export_gc.mod_export_version(3)) == [0, 3, 9]
    both = export_gc.union(largest, export_gc.mod_export_version(3))
    assert picked(both) == [0, 3, 5, 9]


def test_garbage_collection(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="Could not find directory"):
        export_strategy.get_most_recent_export(str(tmp_path / "none"))
    assert export_strategy.get_most_recent_export(str(tmp_path)) is None
    for name in ("1500000001", "1500000003", "1500000002", "123", "temp-1600000000"):
        (tmp_path / name).mkdir()
    newest = export_strategy.get_most_recent_export(str(tmp_path))
    assert newest == (str(tmp_path / "1500000003"), 1500000003)
    export_strategy.garbage_collect_exports(str(tmp_path), 1)
    left = ["123", "1500000003", "temp-1600000000"]
    assert sorted(path.name for path in tmp_path.iterdir()) == left
