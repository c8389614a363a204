"""`python -m tfmini check`: small programs of 2016 to 2018, and the names that each lacks under the runner."""

import json

from tests.programs.cli.test_devices import tfmini
from tests.programs.cli.test_run import write
from tfmini._src.programs.cli.check import make_report


def test_clean_program_passes(tmp_path):
    path = write(tmp_path, "train.py", "import tensorflow as tf\nprint(tf.add(1, 2))\n")
    done = tfmini("check", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Nothing is missing in 1 file."


def test_report_lists_lines_table_and_verdict(tmp_path):
    write(tmp_path, "models/good.py", "import tensorflow as tf\ntf.add(1, 2)\n")
    bad = write(
        tmp_path,
        "models/bad.py",
        """\
        import tensorflow as tf
        tf.contrib.distributions.VectorDiffeomixture(0.3)
        tf.mull(1, 2)
        tf.contrib.distributions.VectorDiffeomixture(0.4)
        """,
    )
    done = tfmini("check", str(tmp_path))
    assert done.returncode == 1 and not done.stderr
    lines = done.stdout.splitlines()
    (cell,) = [line for line in lines if "tf.contrib.distributions.VectorDiffeomixture" in line]
    assert cell.startswith(f"{bad}:2 (and 1 more)") and "MixtureSameFamily" in cell
    assert any(line.startswith(f"{bad}:3 ") and "unknown" in line for line in lines)
    table = lines[lines.index("By file") + 2]
    assert table.split()[:3] == [str(bad), "1", "1"]
    assert lines[-1] == "1 of 2 files would fail."


def test_json_output(tmp_path):
    path = write(tmp_path, "ops.py", "import tensorflow as tf\nops = tf.load_op_library('a.so')\n")
    done = tfmini("check", "--json", str(path))
    assert done.returncode == 1
    read = json.loads(done.stdout)
    assert (read["kind"], read["path"], read["files"]) == ("check", str(path), 1)
    (item,) = read["items"]
    assert "tf.py_func" in item.pop("advice")
    assert item == {
        **{"file": str(path), "line": 2, "cell": None},
        **{"kind": "op library", "name": "tf.load_op_library"},
    }


def test_strict_counts_supplied_names(tmp_path):
    path = write(
        tmp_path, "old.py", "import tensorflow as tf\nimport numpy as np\ntf.mul(1, np.int(2))\n"
    )
    done = tfmini("check", str(path))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "Nothing is missing in 1 file."
    done = tfmini("check", "--strict", str(path))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "1 of 1 file would fail."


def test_missing_path_and_empty_directory(tmp_path):
    done = tfmini("check", str(tmp_path / "train.py"))
    assert done.returncode == 1 and not done.stdout
    assert (
        done.stderr
        == f"python -m tfmini check: no such file or directory: {tmp_path / 'train.py'}\n"
    )
    done = tfmini("check", str(tmp_path))
    assert done.returncode == 0 and "No Python file" in done.stdout
    assert tfmini("check").returncode == 2


def test_empty_report_has_no_tables():
    report = make_report(["a"], {"a/b.py": []})
    assert report.sections == [] and report.items == []
