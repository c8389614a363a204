"""Exporters and their garbage collection."""

import os
import shutil

import pytest

import tfmini as tf
from tfmini._src.models.estimator import exporter as of_exporters
from tfmini._src.models.estimator.export.mode_graph import EXPORT_TAG_MAP, SIGNATURE_KEY_MAP
from tfmini._src.models.estimator.mode_keys import KerasModeKeys


class Exports:
    """A fake evaluated estimator whose exports are empty folders, numbered instead of timestamped."""

    def __init__(self, model_dir):
        os.makedirs(model_dir / "eval", exist_ok=True)
        self.model_dir, self.count = str(model_dir), 0

    def export_saved_model(self, path, receive, **how):
        self.count += 1
        name = os.path.join(path, f"{self.count:010d}")
        os.makedirs(name)
        return name.encode()


@pytest.mark.parametrize(
    "keeps, expected",
    [(1, [[1], [2], [3], [4]]), (2, [[1], [1, 2], [2, 3], [3, 4]]), (None, [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["LatestExporter", "BestExporter"])
def test_old_exports_are_deleted(tmp_path, kind, keeps, expected):
    exporter = getattr(tf.estimator, kind)("e", None, exports_to_keep=keeps)
    for other in ("temp-0000000001", "99999999999"):  # not ten digits: not an export
        (tmp_path / "e" / other).mkdir(parents=True)
    estimator = Exports(tmp_path)
    for step, kept in enumerate(expected):
        path = exporter.export(estimator, str(tmp_path / "e"), "", {"loss": 9.0 - step}, False)
        assert path == str(tmp_path / "e" / f"{step + 1:010d}").encode()
        result = [f"{number:010d}" for number in kept]
        assert sorted(os.listdir(tmp_path / "e")) == [*result, "99999999999", "temp-0000000001"]


def test_concurrent_export_deletion_warns(tmp_path, monkeypatch, caplog):
    first = tmp_path / "0000000001"

    def rmtree(path):
        shutil.rmtree(path)
        tf.io.gfile.rmtree(path)

    monkeypatch.setattr(of_exporters, "rmtree", rmtree)
    exporter = tf.estimator.LatestExporter("e", None, exports_to_keep=1)
    estimator = Exports(tmp_path)
    for _ in range(2):
        exporter.export(estimator, str(tmp_path), "", {}, False)
    assert sorted(os.listdir(tmp_path)) == ["0000000002", "eval"]
    assert caplog.messages == [f"Can not delete {first} recursively: {first} not found"]


def test_best_exporter_requires_pattern_directory(tmp_path):
    exporter = tf.estimator.BestExporter("e", None, event_file_pattern="eval_x/*.tfevents.*")
    with pytest.raises(tf.errors.NotFoundError, match="/eval_x; No such file or directory$"):
        exporter.export(Exports(tmp_path), str(tmp_path), "", {"loss": 1.0}, False)


def test_best_exporter_reads_results_per_estimator(tmp_path):
    exporter = tf.estimator.BestExporter("e", None)
    for name, losses in (("one", [1.0]), ("two", [5.0, 3.0])):
        estimator = Exports(tmp_path / name)
        path = str(tmp_path / name / "e")
        result = [exporter.export(estimator, path, "", {"loss": x}, False) for x in losses]
        assert None not in result  # the other Estimator's does not count


def test_keras_and_estimator_modes_share_graphs():
    assert EXPORT_TAG_MAP["train"] == ["train"]
    for mode in (KerasModeKeys.TEST, tf.estimator.ModeKeys.EVAL):
        assert (EXPORT_TAG_MAP[mode], SIGNATURE_KEY_MAP[mode]) == (["eval"], "eval")
    for mode in (KerasModeKeys.PREDICT, tf.estimator.ModeKeys.PREDICT):
        assert (EXPORT_TAG_MAP[mode], SIGNATURE_KEY_MAP[mode]) == (["serve"], "serving_default")
