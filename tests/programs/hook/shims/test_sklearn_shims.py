"""Names removed from scikit-learn: in a separate process, since importing it needs 60 MB."""

from tests.programs.cli.test_run import run
from tests.support.lazy_modules import needs

pytestmark = needs("sklearn")
SHIMS = """\
import numpy as np
from tfmini._src.programs.hook.shims import sklearn_shims as shims

labels = np.array([0] * 10 + [1] * 10)
for folds in (
    shims.ShuffleSplit(20, 3, test_size=0.2, random_state=0),
    shims.StratifiedShuffleSplit(labels, 3, test_size=0.2, random_state=0),
):
    print(len(folds), [sorted([*a, *b]) == list(range(20)) and len(b) == 4 for a, b in folds])
print([int(labels[test].sum()) for _, test in folds])

folds = shims.KFold(4, n_folds=2)
print(len(folds), [(a.tolist(), b.tolist()) for a, b in folds])
print([sorted(labels[5:15][test].tolist()) for _, test in shims.StratifiedKFold(labels[5:15], 5)])
print([test.tolist() for _, test in shims.LeaveOneOut(3)])
print(shims.linear_assignment([[4, 1], [2, 3]]).tolist())

print(shims.Imputer(strategy="mean").fit_transform([[1.0, np.nan], [3.0, 4.0]]).tolist())
print(shims.Imputer(missing_values=0).fit_transform([[0], [2]]).tolist())
boston = shims.load_boston()
print(boston.data.shape, boston.target.shape, boston.data[0, 0], len(boston.feature_names))
print(shims.load_boston(return_X_y=True)[1][0])
for refused in (lambda: shims.Imputer(axis=1), lambda: shims.fetch_mldata("iris")):
    try:
        refused()
    except (NotImplementedError, ValueError) as error:
        print(type(error).__name__, "axis=1" in str(error), str(error)[:53])
"""
PROGRAM = """\
from sklearn.datasets import load_boston
from sklearn.preprocessing import Imputer
from sklearn.lda import LDA
from sklearn.learning_curve import learning_curve
from sklearn.metrics.classification import accuracy_score
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import OneHotEncoder
print(load_boston().data.shape, accuracy_score([1], [1]), TfidfVectorizer().fit(["one two"]).get_feature_names())
print(CountVectorizer().fit(["two one"]).get_feature_names())
print(OneHotEncoder(sparse=False).fit_transform([[1], [2]]).tolist())
"""
PRINTED = """\
3 [True, True, True]
3 [True, True, True]
[2, 2, 2]
2 [([2, 3], [0, 1]), ([0, 1], [2, 3])]
[[0, 1], [0, 1], [0, 1], [0, 1], [0, 1]]
[[0], [1], [2]]
[[0, 1], [1, 0]]
[[1.0, 4.0], [3.0, 4.0]]
[[2.0], [2.0]]
(506, 13) (506,) 0.00632 13
24.0
NotImplementedError True Imputer(axis=1) was removed: transpose the array.
ValueError False mldata.org no longer exists, so 'iris' is unavailable
(506, 13) 1.0 ['one', 'two']
['one', 'two']
[[1.0, 0.0], [0.0, 1.0]]
"""


def test_sklearn_names_work(tmp_path):
    process = run("-c", SHIMS + PROGRAM, cwd=tmp_path)
    assert process.stdout == PRINTED, process.stderr
