"""Error and gamma functions compared with scipy's."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support.lazy_modules import scipy
from tfmini._src.devices.cuda.special import special

# Names in scipy.
FUNCTIONS = {"erf": "erf", "erfc": "erfc", "lgamma": "gammaln", "digamma": "digamma"}
SOME = [1e-8, 0.1, 0.5, 1.0, 1.4616321, 2.0, 3.5, 9.99, 10.0, 25.0, 170.0, 1e6, np.inf, np.nan]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_match_scipy(order, name, dtype):
    numbers = np.array([*SOME, *(-np.array(SOME[:9]) - 0.25), *np.linspace(-4.9, 5, 300)], dtype)
    actual = special(xp, name, xp.asarray(numbers).reshape(-1, 1))
    assert actual.shape == (numbers.size, 1)
    assert actual.dtype == dtype
    function = getattr(scipy.special, FUNCTIONS[name])
    expected = function(numbers.astype("d")).reshape(-1, 1)
    tolerance = 2e-6 if dtype == "float32" else 1e-13
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def test_poles():
    poles = xp.asarray([0.0, -0.0, -1.0, -2.0, -100.0, -np.inf])
    assert (special(xp, "lgamma", poles) == np.inf).all()
    assert (special(xp, "digamma", poles) == np.inf).all()


def test_empty_input():
    assert special(xp, "erf", xp.asarray(np.zeros((0, 3)))).shape == (0, 3)
