"""Settings removed from matplotlib."""

from tests.programs.cli.test_run import run
from tests.support.lazy_modules import needs

pytestmark = needs("matplotlib")

SOURCE = """\
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.rcParams["text.latex.unicode"] = True
plt.rcParams.update({"axes.color_cycle": ["r", "b"], "savefig.frameon": False})
plt.rc("mathtext", fallback_to_cm=True)
print(plt.plot([1, 2])[0].get_color(), plt.rcParams["text.latex.unicode"], plt.rcParams["mathtext.fallback"])
with plt.rc_context({"verbose.level": "helpful", "lines.linewidth": 3}):
    print(plt.rcParams["lines.linewidth"])
print(plt.rcParams["axes.prop_cycle"].by_key()["color"])
matplotlib.rcParams.update({"pgf.preamble": [r"\\usepackage{a}", r"\\usepackage{b}"]})
plt.rc("text.latex", preamble=["x"])
print(repr(plt.rcParams["pgf.preamble"]), plt.rcParams["text.latex.preamble"])
try: plt.rcParams["text.latex.colour"] = 1
except KeyError as error: print("unknown")
"""

EXPECTED = """\
r True cm
3.0
['r', 'b']
'\\\\usepackage{a}\\n\\\\usepackage{b}' x
unknown
"""


def test_removed_setting_is_ignored_with_warning(tmp_path):
    (tmp_path / "old.py").write_text(SOURCE)
    done = run("old.py", cwd=tmp_path)
    assert done.stdout == EXPECTED, done.stderr
    assert "matplotlib's setting text.latex.unicode was removed; it has no effect." in done.stderr
