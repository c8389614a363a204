"""`ci/soak tensorflow_tests`: counted tests, worker reports, figures."""

import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from ci.commands.upstream import counting, report
from ci.commands.upstream.counting import FileOfTests, Outcomes

WORKER = Path(counting.__file__).with_name("worker.py")

TESTS = """
import numpy as np
from tensorflow.python.framework import constant_op, test_util
from tensorflow.python.ops import math_ops
from tensorflow.python.platform import test


class AddTest(test.TestCase):
  @test_util.run_in_graph_and_eager_modes
  def testAdd(self):
    self.assertAllEqual(self.evaluate(math_ops.add(1, 2)), 3)

  def testRagged(self):
    self.assertEqual(np.array([[1], [1, 2]]).shape, (2,))

  def testWrong(self):
    self.assertEqual(1, 2, "so it is")

  def testSkipped(self):
    self.skipTest("not today")

  def testPrivate(self):
    self.assertIsNone(constant_op.constant(1).op._original_op)


if __name__ == "__main__":
  AddTest.testMade = lambda self: None
  test.main()
"""


@pytest.fixture
def outcomes(tmp_path):
    directory = tmp_path / "tensorflow" / "python" / "ops"
    directory.mkdir(parents=True)
    (directory / "add_test.py").write_text(TESTS)
    (directory / "broken_test.py").write_text("import tensorflow\nraise ValueError('broken')\n")
    output = tmp_path / "outcomes.jsonl"
    command = [sys.executable, "-W", "ignore", "-m", "tfmini", "run", str(WORKER)]
    command += ["--sources", str(tmp_path), "--output", str(output)]
    names = "ops/add_test.py\nops/broken_test.py\n"
    ran = subprocess.run(command, input=names, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return counting.read_outcomes(output)


def test_worker_reports_outcome_of_each_test(outcomes):
    result = outcomes["ops/add_test.py"]
    assert {name.partition(".")[2]: outcome for name, outcome in result.tests.items()} == {
        "testAdd": "passed",
        "testMade": "passed",
        "testPrivate": "passed",
        "testRagged": "passed",
        "testSkipped": "skipped",
        "testWrong": "failed",
        "test_session": "skipped",
    }
    assert result.private == {"AddTest.testPrivate"}
    assert "so it is" in result.messages["AddTest.testWrong"]
    assert outcomes["ops/broken_test.py"].failure == "ValueError: broken"


@pytest.mark.parametrize("tables", [counting.GRAPHS, counting.EAGER])
def test_tables_list_files_once(tables):
    files = counting.read_files(tables)
    assert len({file.name for file in files}) == len(files)
    assert all(file.count > 0 for file in files)
    listed = {name for name, _ in counting.rows(tables.not_counted)}
    assert listed <= {file.name for file in files}


def test_areas_with_targets_have_files():
    assert set(report.HELD_TO) <= {file.area for file in counting.read_files(counting.GRAPHS)}


def test_counted_tests():
    file = FileOfTests("a_test.py", "rnn", 2, frozenset({"A.one", "B.*"}))
    assert not file.counts("A.one") and not file.counts("B.two") and file.counts("A.two")


def test_summary_figures():
    files = [
        FileOfTests("a_test.py", "rnn", 4, frozenset({"A.zero"})),
        FileOfTests("b_test.py", "summary", 3, frozenset()),
    ]
    lacks = f"NotImplementedError: {report.LACKS} tf.x of TensorFlow 1.15.5"
    outcomes = {
        "a_test.py": Outcomes(
            {"A.zero": "passed", "A.one": "passed", "A.two": "error", "A.three": "failed"},
            {"A.zero": "", "A.one": "", "A.two": lacks, "A.three": "1 != 2"},
        ),
        "b_test.py": Outcomes(failure=lacks),
    }
    assert report.by_area(files, outcomes).splitlines()[2:] == [
        "| **rnn** | 1 | 1 | 4 | 25.0 % | 1 | 33.3 % |",
        "| summary | 1 | 0 | 3 | 0.0 % | 3 | - |",
        "| all | 2 | 1 | 7 | 14.3 % | 4 | 33.3 % |",
    ]
    assert "| rnn | a_test.py | 1 | 4 |  |" in report.by_file(files, outcomes)
    assert "1 != 2\n       a_test.py A.three" in report.messages(files, outcomes, 5)


def test_tables_are_updated_from_tensorflow_run(tmp_path):
    tables = counting.Tables(tmp_path / "files.tsv", tmp_path / "not_counted.tsv.xz")
    tables.files.write_text("rnn\ta_test.py\t9\nrnn\tb_test.py\t5\n")
    tables.not_counted.write_bytes(lzma.compress(b"b_test.py\tB.one\n"))
    lines = [
        {"file": "a_test.py", "test": "", "outcome": "private", "message": "A.two"},
        {"file": "a_test.py", "test": "A.one", "outcome": "passed", "message": ""},
        {"file": "a_test.py", "test": "A.two", "outcome": "passed", "message": ""},
        {"file": "a_test.py", "test": "A.three", "outcome": "failed", "message": "why"},
    ]
    output = tmp_path / "outcomes.jsonl"
    output.write_text("".join(json.dumps(line) + "\n" for line in lines))
    counting.write_tables(tables, counting.read_outcomes(output))
    assert counting.read_files(tables) == [
        FileOfTests("a_test.py", "rnn", 1, frozenset({"A.two", "A.three"})),
        FileOfTests("b_test.py", "rnn", 5, frozenset({"B.one"})),
    ]
