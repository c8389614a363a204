"""Names that scikit-learn dropped."""

import numpy as np
import pytest

from tests.programs.cli.test_run import run
from tests.support.late_modules import LateModule, needs

pytestmark = needs("sklearn")
sklearn_shims = LateModule("tfmini._src.programs.hook.shims.sklearn_shims")
sklearn_text = LateModule("sklearn.feature_extraction.text")


def test_shuffled_splits():
    labels = np.array([0] * 10 + [1] * 10)
    for folds in (
        sklearn_shims.ShuffleSplit(20, 3, test_size=0.2, random_state=0),
        sklearn_shims.StratifiedShuffleSplit(labels, 3, test_size=0.2, random_state=0),
    ):
        assert len(folds) == 3
        for train, test in folds:
            assert sorted([*train, *test]) == list(range(20))
            assert len(test) == 4
    assert all(labels[test].sum() == 2 for _, test in folds)


def test_missing_values():
    found = sklearn_shims.Imputer(strategy="mean").fit_transform([[1.0, np.nan], [3.0, 4.0]])
    assert found.tolist() == [[1.0, 4.0], [3.0, 4.0]]
    assert sklearn_shims.Imputer(missing_values=0).fit_transform([[0], [2]]).tolist() == [[2], [2]]
    with pytest.raises(NotImplementedError, match="axis=1"):
        sklearn_shims.Imputer(axis=1)


def test_data_and_terms(tmp_path):
    boston = sklearn_shims.load_boston()
    assert boston.data.shape == (506, 13) and boston.target.shape == (506,)
    assert boston.data[0, 0] == pytest.approx(0.00632)
    assert len(boston.feature_names) == 13
    assert sklearn_shims.load_boston(return_X_y=True)[1][0] == 24.0
    words = sklearn_text.CountVectorizer().fit(["two one"])
    assert sklearn_shims.get_feature_names(words) == ["one", "two"]
    source = """\
from sklearn.datasets import load_boston
from sklearn.preprocessing import Imputer
from sklearn.lda import LDA
from sklearn.learning_curve import learning_curve
from sklearn.metrics.classification import accuracy_score
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import OneHotEncoder
print(load_boston().data.shape, accuracy_score([1], [1]), TfidfVectorizer().fit(["one two"]).get_feature_names())
print(OneHotEncoder(sparse=False).fit_transform([[1], [2]]).tolist())
"""
    done = run("-c", source, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "(506, 13) 1.0 ['one', 'two']",
        "[[1.0, 0.0], [0.0, 1.0]]",
    ], done.stderr
