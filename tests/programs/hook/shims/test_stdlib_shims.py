"""Modules removed from Python, against its last version with them."""

import numpy as np
import pytest

import tfmini
from tests.support.lazy_modules import LazyModule
from tests.support.oracles import laws
from tfmini._src.programs.hook.shims import numpy_shims, stdlib_shims

matplotlib_shims = LazyModule("tfmini._src.programs.hook.shims.matplotlib_shims")


def test_getargspec():
    def plain(a, b=1, *c, **d):
        pass

    assert stdlib_shims.getargspec(plain) == (["a", "b"], "c", "d", (1,))
    with pytest.raises(ValueError, match="keyword-only"):
        stdlib_shims.getargspec(lambda *, a: a)
    assert stdlib_shims.getargspec(tfmini.nn.relu).args == ["features", "name"]


def test_load_source(tmp_path):
    (tmp_path / "settings.py").write_text("rate = 0.5\n")
    assert stdlib_shims.load_source("old_settings", str(tmp_path / "settings.py")).rate == 0.5


def test_strtobool():
    assert [stdlib_shims.strtobool(t) for t in ("yes", "ON", "1", "f", "No")] == [1, 1, 1, 0, 0]
    with pytest.raises(ValueError, match="'maybe'"):
        stdlib_shims.strtobool("maybe")


def test_versions_compare_numerically():
    version = stdlib_shims.LooseVersion
    assert version("1.10") > version("1.9.2")
    assert version("1.15.5") >= "1.15"
    assert version("1.0rc1") < version("1.0rc2")
    assert version("1.4.0") == "1.4.0"
    assert str(version("1.4.0")) == "1.4.0"


def test_directory_helpers(tmp_path):
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
    np.testing.assert_allclose(matplotlib_shims.normpdf(x, 0.5, 2.0), laws.normal(0.5, 2.0).pdf(x))
    actual = matplotlib_shims.bivariate_normal(x, 2 * x, 2.0, 1.0, 0.5, -1.0, 0.6)
    away, covariance = np.stack([x - 0.5, 2 * x + 1]), np.array([[4, 0.6], [0.6, 1]])
    exponent = (away * np.linalg.solve(covariance, away)).sum(0) / 2
    expected = np.exp(-exponent) / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    np.testing.assert_allclose(actual, expected)


def test_hold():
    matplotlib_shims.hold()
    matplotlib_shims.hold(True)
    assert matplotlib_shims.ishold()
    with pytest.raises(NotImplementedError, match="plt.cla"):
        matplotlib_shims.hold(False)
