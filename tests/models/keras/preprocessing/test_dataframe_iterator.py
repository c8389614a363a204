"""Images listed in a pandas table: selection, classes, targets and weights."""

import numpy as np
import pytest
from PIL import Image

import tfmini as tf
from tests.support.lazy_modules import LazyModule

pandas = LazyModule("pandas")

NAMES = ["0.png", "1.png", "2.png", "3.PNG"]


@pytest.fixture
def folder(tmp_path):
    """Four 2x2 grayscale images, each filled with its number."""
    for index, name in enumerate(NAMES):
        Image.fromarray(np.full((2, 2), index, np.uint8)).save(tmp_path / name)
    return str(tmp_path)


def flow(folder, table, **options):
    generator = tf.keras.preprocessing.image.ImageDataGenerator(
        **({"validation_split": 0.5} if "subset" in options else {})
    )
    settings = {"target_size": (2, 2), "color_mode": "grayscale", "shuffle": False, "batch_size": 8}
    return generator.flow_from_dataframe(pandas.DataFrame(table), folder, **{**settings, **options})


def numbers(images):
    assert images.shape[1:] == (2, 2, 1)
    return images[:, 0, 0, 0].tolist()


LABELS = ["b", "a", "b", "a"]


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("binary", [1, 0, 1, 0]),
        ("sparse", [1, 0, 1, 0]),
        ("categorical", [[0, 1], [1, 0], [0, 1], [1, 0]]),
        ("raw", LABELS),
    ],
)
def test_classes_are_sorted(folder, mode, expected):
    result = flow(folder, {"filename": NAMES, "class": LABELS}, class_mode=mode)
    images, targets = next(result)
    assert numbers(images) == [0, 1, 2, 3] and targets.tolist() == expected
    assert mode == "raw" or result.class_indices == {"a": 0, "b": 1}
    assert result.filenames == NAMES and result.samples == 4


def test_other_classes_and_missing_files_are_skipped(folder, capsys):
    table = {"filename": [*NAMES, "none.png"], "class": ["c", "b", "a", "b", "a"]}
    with pytest.warns(UserWarning, match=r"Found 1 invalid image filename\(s\) in x_col=.filename"):
        result = flow(folder, table, classes=["a", "b"], class_mode="sparse")
    images, targets = next(result)
    assert numbers(images) == [1, 2, 3] and targets.tolist() == [1, 0, 1]
    message = "Found 3 validated image filenames belonging to 2 classes."
    assert message in capsys.readouterr().out


def test_multiple_labels_per_row(folder):
    labels = [["a", "b"], ["c"], "b", ["d", "a"]]
    result = flow(folder, {"filename": NAMES, "class": labels}, classes=["a", "b", "c"])
    assert next(result)[1].tolist() == [[1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    result = flow(folder, {"filename": NAMES, "class": [("a", "b"), "b", ("b",), "a"]})
    assert next(result)[1].tolist() == [[1, 1], [0, 1], [0, 1], [1, 0]]


def test_multiple_targets_and_weights(folder):
    table = {"filename": NAMES, "x": [1, 2, 3, 4], "y": [5.0, 6, 7, 8], "weight": [0.5, 1, 2, 3]}
    result = flow(folder, table, y_col=["x", "y"], class_mode="multi_output", weight_col="weight")
    images, (x, y), weights = next(result)
    assert x.tolist() == [1, 2, 3, 4] and y.tolist() == [5, 6, 7, 8]
    assert weights.tolist() == [0.5, 1, 2, 3]
    assert numbers(next(flow(folder, table, class_mode=None))) == [0, 1, 2, 3]
    collected, expected = next(flow(folder, table, class_mode="input"))
    assert (collected == expected).all()


@pytest.mark.parametrize("subset, expected", [("validation", [0, 1]), ("training", [2, 3])])
def test_training_and_validation_subsets(folder, subset, expected):
    result = flow(folder, {"filename": NAMES, "class": LABELS}, class_mode="raw", subset=subset)
    assert numbers(next(result)[0]) == expected


@pytest.mark.parametrize(
    "error, said, table, options",
    [
        (ValueError, "Invalid class_mode: none; expected one of", {}, {"class_mode": "none"}),
        (TypeError, "y_col must be a list. Received str", {}, {"class_mode": "multi_output"}),
        (TypeError, "x_col=class must be strings", {"class": [1] * 4}, {"x_col": "class"}),
        (TypeError, "column values must be strings", {"class": [1] * 4}, {"class_mode": "sparse"}),
        (
            ValueError,
            "2 classes. 3 class/es were",
            {},
            {"class_mode": "binary", "classes": [*"abc"]},
        ),
        (ValueError, "Found 1 classes", {"class": ["a"] * 4}, {"class_mode": "binary"}),
        (TypeError, "must be type string, list or tuple", {"class": [1] * 4}, {}),
        (TypeError, "weight_col=class must be numeric", {}, {"weight_col": "class"}),
    ],
)
def test_invalid_arguments(folder, error, said, table, options):
    with pytest.raises(error, match=said):
        flow(folder, {"filename": NAMES, "class": LABELS, **table}, **options)


def test_unused_classes_warn(folder):
    with pytest.warns(UserWarning, match="`classes` will be ignored given the class_mode=.raw"):
        flow(folder, {"filename": NAMES, "class": LABELS}, class_mode="raw", classes=["a"])
