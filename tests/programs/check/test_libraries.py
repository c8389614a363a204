"""Names removed from Python and its libraries: time.clock in Python 3.8, np.float in numpy 1.24."""

import pytest

from tests.programs.check.test_uses import scan
from tfmini._src.programs.check.programs import findings


@pytest.mark.parametrize(
    "source, expected",
    [
        ("import numpy as np\nx = np.float(1)", [(2, "numpy.float")]),
        ("import numpy\ndef f(): return numpy.product", [(2, "numpy.product")]),
        ("import scipy.misc\nscipy.misc.imresize(x, 2)", [(2, "scipy.misc.imresize")]),
        ("from scipy import misc\nmisc.imread('a')", [(2, "scipy.misc.imread")]),
        ("from scipy.misc import imsave, nothing", [(1, "scipy.misc.imsave")]),
        ("import time\nm = time\nm.clock()", [(3, "time.clock")]),
        ("from sklearn.externals import joblib", [(1, "sklearn.externals.joblib")]),
        ("import xml.etree.cElementTree as et", [(1, "xml.etree.cElementTree")]),
        ("import numpy as np\nnp.float32(np.bool_(1)), np.nope", []),
        ("from .time import clock\nfrom . import time\ntime.clock()", []),
        (
            "try:\n  import json\nexcept ImportError:\n  from sklearn.cross_validation import KFold",
            [],
        ),
    ],
)
def test_removed_library_names(tmp_path, source, expected):
    assert scan(tmp_path, source) == [(line, "removed name", name) for line, name in expected]


def test_supplied_names_do_not_fail_check(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("import time\ntime.clock()\n")
    (actual,) = findings(str(path))
    assert not actual.fails() and "time.process_time" in actual.problem.advice
