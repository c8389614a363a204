"""Export strategies."""

import os

import pytest

from tfmini._src.contrib.learn import (
    best_model_export_strategy,
)
from tfmini._src.contrib.learn.export_strategy import ExportStrategy

pytestmark = pytest.mark.filterwarnings("ignore")


def test_post_export_function(tmp_path):
    def write(estimator, directory):
        path = os.path.join(directory, "123")
        os.mkdir(path)
        return path

    def change(written, directory):
        os.rename(written, os.path.join(directory, "456"))
        return os.path.join(directory, "456")

    strategy = best_model_export_strategy.extend_export_strategy(
        ExportStrategy("plain", write), change, "changed"
    )
    assert strategy.name == "changed"
    assert strategy.export(None, str(tmp_path)) == str(tmp_path / "456")
    assert os.listdir(tmp_path) == ["456"]
    stray = best_model_export_strategy.extend_export_strategy(
        ExportStrategy("plain", write), lambda *_: "/else"
    )
    with pytest.raises(ValueError, match="sub-directory of"):
        stray.export(None, str(tmp_path / "other"))
