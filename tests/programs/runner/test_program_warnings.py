"""numpy warnings inside the runner's operators, attributed to the program's line as in Python."""

from tests.programs.cli.test_run import run

SOURCE = """\
import warnings
import numpy as np
x = np.zeros(2); n = x.sum()
for i in range(2):
    x[i] / n
x[0] / n
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    x[0] / n; x[1] / n
print([(each.lineno, each.filename[-6:]) for each in seen])
"""


def test_warnings_name_each_program_line_once(tmp_path):
    (tmp_path / "old.py").write_text(SOURCE)
    process = run("old.py", cwd=tmp_path)
    assert process.stdout == "[(9, 'old.py'), (9, 'old.py')]\n"
    lines = [part.split(": RuntimeWarning")[0] for part in process.stderr.split("old.py:")[1:]]
    assert lines == ["5", "6"] and "numpy_integer_shims" not in process.stderr
