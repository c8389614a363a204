"""Modules that Python dropped, against its last version with them."""

import numpy as np
import pytest

from tests.support.late_modules import LateModule
from tfmini._src.programs.hook.shims import numpy_shims, stdlib_shims

matplotlib_shims = LateModule("tfmini._src.programs.hook.shims.matplotlib_shims")
sklearn_shims = LateModule("tfmini._src.programs.hook.shims.sklearn_shims")
stats = LateModule("scipy.stats")


def test_getargspec():
    def plain(a, b=1, *c, **d):
        pass

    assert stdlib_shims.getargspec(plain) == (["a", "b"], "c", "d", (1,))
    with pytest.raises(ValueError, match="keyword-only"):
        stdlib_shims.getargspec(lambda *, a: a)


def test_load_source(tmp_path):
    (tmp_path / "settings.py").write_text("rate = 0.5\n")
    assert stdlib_shims.load_source("old_settings", str(tmp_path / "settings.py")).rate == 0.5


def test_strtobool():
    assert [stdlib_shims.strtobool(t) for t in ("yes", "ON", "1", "f", "No")] == [1, 1, 1, 0, 0]
    with pytest.raises(ValueError, match="'maybe'"):
        stdlib_shims.strtobool("maybe")


def test_versions_are_compared_by_numbers():
    version = stdlib_shims.LooseVersion
    assert version("1.10") > version("1.9.2")
    assert version("1.15.5") >= "1.15"
    assert version("1.0rc1") < version("1.0rc2")
    assert version("1.4.0") == "1.4.0"
    assert str(version("1.4.0")) == "1.4.0"


def test_folders(tmp_path):
    deep = str(tmp_path / "a" / "b")
    assert stdlib_shims.mkpath(deep) == [str(tmp_path / "a"), deep]
    assert stdlib_shims.mkpath(deep) == []
    (tmp_path / "a" / "b" / "file").write_text("text")
    stdlib_shims.copy_tree(str(tmp_path / "a"), str(tmp_path / "c"))
    assert (tmp_path / "c" / "b" / "file").read_text() == "text"


def test_arrays():
    assert numpy_shims.asscalar(np.array([3.5])) == 3.5
    assert numpy_shims.in1d([[1, 2], [3, 4]], [2, 3]).tolist() == [False, True, True, False]
    assert numpy_shims.msort([[3, 1], [2, 4]]).tolist() == [[2, 1], [3, 4]]
    assert numpy_shims.trapz([1.0, 2.0, 3.0], dx=2.0) == 8.0
    assert numpy_shims.NINF == float("-inf")


def test_densities():
    x = np.linspace(-2, 3, 7)
    np.testing.assert_allclose(matplotlib_shims.normpdf(x, 0.5, 2.0), stats.norm.pdf(x, 0.5, 2.0))
    wanted = stats.multivariate_normal([0.5, -1], [[4, 0.6], [0.6, 1]])
    got = matplotlib_shims.bivariate_normal(x, 2 * x, 2.0, 1.0, 0.5, -1.0, 0.6)
    np.testing.assert_allclose(got, wanted.pdf(np.stack([x, 2 * x], -1)))


def test_hold():
    matplotlib_shims.hold()
    matplotlib_shims.hold(True)
    assert matplotlib_shims.ishold()
    with pytest.raises(NotImplementedError, match="plt.cla"):
        matplotlib_shims.hold(False)


def test_folds_are_walked_at_once():
    folds = sklearn_shims.KFold(4, n_folds=2)
    assert len(folds) == 2
    assert [(a.tolist(), b.tolist()) for a, b in folds] == [([2, 3], [0, 1]), ([0, 1], [2, 3])]
    labels = [0, 0, 1, 1]
    for _, test in sklearn_shims.StratifiedKFold(labels, 2):
        assert sorted(labels[i] for i in test) == [0, 1]
    assert [b.tolist() for _, b in sklearn_shims.LeaveOneOut(3)] == [[0], [1], [2]]


def test_linear_assignment():
    assert sklearn_shims.linear_assignment([[4, 1], [2, 3]]).tolist() == [[0, 1], [1, 0]]


def test_other_data_sets_of_mldata():
    with pytest.raises(ValueError, match="mldata.org no longer exists, so 'iris' is unavailable"):
        sklearn_shims.fetch_mldata("iris")
