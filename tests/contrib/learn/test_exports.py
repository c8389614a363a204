"""Exports of `tf.contrib.learn`: which are kept, which model is the best, what is done to them afterwards."""

import os

import pytest

from tfmini.contrib.learn import best_exports, export_filters, export_signatures
from tfmini.contrib.learn.export_strategies import ExportStrategy
from tfmini.contrib.learn.model_functions import ModelFnOps

pytestmark = pytest.mark.filterwarnings("ignore")


def test_filters_pick_versions(tmp_path):
    for version in (0, 3, 4, 5, 9):
        (tmp_path / str(version)).mkdir()
    (tmp_path / "notes").mkdir()

    def parse(path):
        name = os.path.basename(path.path)
        return path._replace(export_version=int(name)) if name.isdigit() else None

    paths = export_filters.get_paths(str(tmp_path), parse)

    def picked(keep):
        return sorted(path.export_version for path in keep(paths))

    assert picked(lambda found: found) == [0, 3, 4, 5, 9]
    largest = export_filters.largest_export_versions(2)
    assert picked(largest) == [5, 9]
    assert picked(export_filters.negation(largest)) == [0, 3, 4]
    assert picked(export_filters.one_of_every_n_export_versions(4)) == [4, 5, 9]
    assert picked(export_filters.mod_export_version(3)) == [0, 3, 9]
    both = export_filters.union(largest, export_filters.mod_export_version(3))
    assert picked(both) == [0, 3, 5, 9]


def test_only_better_models_are_chosen():
    selector = best_exports.BestModelSelector()
    assert selector.update("one", {"loss": 3.0}) == ("one", {"loss": 3.0})
    assert selector.update("two", {"loss": 4.0}) == ("", None)
    assert selector.update("three", {"loss": 2.0}) == ("three", {"loss": 2.0})
    with pytest.raises(ValueError, match="no loss is found"):
        selector.update("four", {"accuracy": 1.0})
    with pytest.raises(ValueError, match="Checkpoint path is empty"):
        selector.update("", {"loss": 1.0})


def test_a_function_changes_what_was_written(tmp_path):
    def write(estimator, folder):
        path = os.path.join(folder, "123")
        os.mkdir(path)
        return path

    def change(written, folder):
        os.rename(written, os.path.join(folder, "456"))
        return os.path.join(folder, "456")

    made = best_exports.extend_export_strategy(ExportStrategy("plain", write), change, "changed")
    assert made.name == "changed"
    assert made.export(None, str(tmp_path)) == str(tmp_path / "456")
    assert os.listdir(tmp_path) == ["456"]
    stray = best_exports.extend_export_strategy(ExportStrategy("plain", write), lambda *_: "/else")
    with pytest.raises(ValueError, match="sub-directory of"):
        stray.export(None, str(tmp_path / "other"))


def test_the_only_head_is_served():
    made = ModelFnOps("infer", predictions={"a": 1}, output_alternatives={"head": ("p", {"a": 1})})
    assert export_signatures.get_output_alternatives(made) == ({"head": ("p", {"a": 1})}, "head")
    with pytest.raises(ValueError, match=r"Requested default_output_alternative: x, .*\['head'\]"):
        export_signatures.get_output_alternatives(made, "x")
