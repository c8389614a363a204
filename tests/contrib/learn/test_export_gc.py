"""Export folders and their garbage collection."""

import pytest

import tfmini as tf
from tfmini._src.contrib.learn import (
    export_strategy,
)

pytestmark = pytest.mark.filterwarnings("ignore")


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
