"""Exports of `tf.contrib.learn`: which are kept, which model is the best, what is done to them afterwards."""

import os

import pytest

import tfmini as tf
from tfmini._src.contrib.learn import (
    best_model_export_strategy,
    export_gc,
    export_signatures,
    export_strategy,
)
from tfmini._src.contrib.learn.export_strategy import ExportStrategy
from tfmini._src.contrib.learn.model_fn import ModelFnOps

pytestmark = pytest.mark.filterwarnings("ignore")


def test_filters_pick_versions(tmp_path):
    for version in (0, 3, 4, 5, 9):
        (tmp_path / str(version)).mkdir()
    (tmp_path / "notes").mkdir()

    def parse(path):
        name = os.path.basename(path.path)
        return path._replace(export_version=int(name)) if name.isdigit() else None

    paths = export_gc.get_paths(str(tmp_path), parse)

    def picked(keep):
        return sorted(path.export_version for path in keep(paths))

    assert picked(lambda found: found) == [0, 3, 4, 5, 9]
    largest = export_gc.largest_export_versions(2)
    assert picked(largest) == [5, 9]
    assert picked(export_gc.negation(largest)) == [0, 3, 4]
    assert picked(export_gc.one_of_every_n_export_versions(4)) == [4, 5, 9]
    assert picked(export_gc.mod_export_version(3)) == [0, 3, 9]
    both = export_gc.union(largest, export_gc.mod_export_version(3))
    assert picked(both) == [0, 3, 5, 9]


def test_the_newest_export_is_found_and_the_others_deleted(tmp_path):
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


def test_exports_have_a_signature_for_each_input_with_each_output(tmp_path):
    learn, columns = tf.contrib.learn, [tf.contrib.layers.real_valued_column("a")]
    model = learn.LinearClassifier(columns, str(tmp_path / "model"))

    def inputs():
        return {"a": tf.constant([[0.0], [1.0]])}, tf.constant([[0], [1]])

    model.fit(input_fn=inputs, steps=1)
    spec = tf.contrib.layers.create_feature_spec_for_parsing(columns)
    served = learn.build_parsing_serving_input_fn(spec)
    path = model.export_savedmodel(str(tmp_path / "out"), served)
    with tf.Graph().as_default(), tf.Session() as session:
        signatures = tf.saved_model.load(session, ["serve"], path).signature_def
    assert sorted(signatures) == ["default_input_alternative:None", "serving_default"]
    with pytest.raises(ValueError, match="Requested default_output_alternative: other"):
        model.export_savedmodel(
            str(tmp_path / "out"), served, default_output_alternative_key="other"
        )


def test_only_better_models_are_chosen():
    selector = best_model_export_strategy.BestModelSelector()
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

    made = best_model_export_strategy.extend_export_strategy(
        ExportStrategy("plain", write), change, "changed"
    )
    assert made.name == "changed"
    assert made.export(None, str(tmp_path)) == str(tmp_path / "456")
    assert os.listdir(tmp_path) == ["456"]
    stray = best_model_export_strategy.extend_export_strategy(
        ExportStrategy("plain", write), lambda *_: "/else"
    )
    with pytest.raises(ValueError, match="sub-directory of"):
        stray.export(None, str(tmp_path / "other"))


def test_the_only_head_is_served():
    made = ModelFnOps("infer", predictions={"a": 1}, output_alternatives={"head": ("p", {"a": 1})})
    assert export_signatures.get_output_alternatives(made) == ({"head": ("p", {"a": 1})}, "head")
    with pytest.raises(ValueError, match=r"Requested default_output_alternative: x, .*\['head'\]"):
        export_signatures.get_output_alternatives(made, "x")
