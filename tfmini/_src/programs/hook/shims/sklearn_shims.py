"""Names removed from or changed in scikit-learn: directly iterable folds, `fetch_mldata`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import datasets, impute, model_selection  # type: ignore[import-untyped]
from sklearn.utils import Bunch  # type: ignore[import-untyped]

from tfmini._src.contrib.learn.datasets.base import boston_table
from tfmini._src.devices.numpy import scipy

_DISTRICTS = "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT".split()


class _Folds:
    """Base class of folds: pairs of training and test indices, for a fixed number of examples."""

    def __init__(self, splitter: Any, examples: Any, labels: Any = None) -> None:
        self._given = splitter, examples, labels

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        splitter, examples, labels = self._given
        return splitter.split(examples, labels)

    def __len__(self) -> int:
        splitter, examples, labels = self._given
        return splitter.get_n_splits(examples, labels)


class KFold(_Folds):
    """Splits `n` examples into `n_folds` parts, each used once for testing."""

    def __init__(
        self, n: int, n_folds: int = 3, shuffle: bool = False, random_state: Any = None
    ) -> None:
        seed = random_state if shuffle else None
        splitter = model_selection.KFold(n_folds, shuffle=shuffle, random_state=seed)
        super().__init__(splitter, np.zeros(n))


class StratifiedKFold(_Folds):
    """Splits the examples into `n_folds` parts, each with the overall label frequencies."""

    def __init__(
        self, y: Any, n_folds: int = 3, shuffle: bool = False, random_state: Any = None
    ) -> None:
        seed = random_state if shuffle else None
        splitter = model_selection.StratifiedKFold(n_folds, shuffle=shuffle, random_state=seed)
        super().__init__(splitter, np.zeros(len(y)), y)


class LeaveOneOut(_Folds):
    """Splits that test on one of `n` examples each."""

    def __init__(self, n: int) -> None:
        super().__init__(model_selection.LeaveOneOut(), np.zeros(n))


class ShuffleSplit(_Folds):
    """`n_iter` random splits of `n` examples into training and test sets."""

    def __init__(
        self,
        n: int,
        n_iter: int = 10,
        test_size: Any = 0.1,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        splitter = model_selection.ShuffleSplit(
            n_iter, test_size=test_size, train_size=train_size, random_state=random_state
        )
        super().__init__(splitter, np.zeros(n))


class StratifiedShuffleSplit(_Folds):
    """`n_iter` random splits whose test sets have the overall label frequencies."""

    def __init__(
        self,
        y: Any,
        n_iter: int = 10,
        test_size: Any = 0.1,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        splitter = model_selection.StratifiedShuffleSplit(
            n_iter, test_size=test_size, train_size=train_size, random_state=random_state
        )
        super().__init__(splitter, np.zeros(len(y)), y)


class Imputer(impute.SimpleImputer):
    """Replaces missing values with column mean, median or mode; raises NotImplementedError for rows (`axis=1`)."""

    def __init__(
        self,
        missing_values: Any = "NaN",
        strategy: str = "mean",
        axis: int = 0,
        verbose: int = 0,
        copy: bool = True,
    ) -> None:
        if axis:
            raise NotImplementedError("Imputer(axis=1) was removed: transpose the array.")
        self.axis, self.verbose = axis, verbose
        value = np.nan if isinstance(missing_values, str) else missing_values
        super().__init__(missing_values=value, strategy=strategy, copy=copy)


def get_feature_names(vectorizer: Any) -> list:
    """Returns the feature names, by column."""
    return vectorizer.get_feature_names_out().tolist()


def load_boston(return_X_y: bool = False) -> Any:
    """Returns data on 506 districts of Boston in 1970: `data` [506, 13], `target` [506], `feature_names`."""
    data, target = boston_table()
    if return_X_y:
        return data, target
    names = np.array(_DISTRICTS)
    text = "Prices of houses in Boston, 1970, by the districts' figures."
    return Bunch(data=data, target=target, feature_names=names, DESCR=text)


def linear_assignment(X: Any) -> np.ndarray:
    """Returns the pairs [row, column] of the minimum-cost assignment, in row order."""
    return np.stack(scipy.optimize.linear_sum_assignment(X), axis=1)


def fetch_mldata(
    dataname: str,
    target_name: Any = "label",
    data_name: Any = "data",
    transpose_data: bool = True,
    data_home: Any = None,
) -> Any:
    """Downloads MNIST from openml.org, as on mldata.org: training examples, then test examples, sorted by label."""
    if dataname.lower().replace("-", " ") != "mnist original":
        raise ValueError(
            f"mldata.org no longer exists, so {dataname!r} is unavailable; "
            "sklearn.datasets.fetch_openml provides most of its datasets"
        )
    dataset = datasets.fetch_openml("mnist_784", version=1, as_frame=False, data_home=data_home)
    target = dataset.target.astype(float)
    order = np.concatenate(
        [
            np.argsort(target[:60000], kind="stable"),
            60000 + np.argsort(target[60000:], kind="stable"),
        ]
    )
    dataset.data, dataset.target = dataset.data[order].astype(np.uint8), target[order]
    return dataset
