"""Complete reports of `check`, for programs and for people."""

import gc
import json
import sys
from types import SimpleNamespace

import pytest

from tfmini._src.programs.check.findings import KINDS, Finding, Problem
from tfmini._src.programs.cli import check, main
from tfmini._src.programs.cli.reports import as_json, as_text

LINES = "place", "kind", "name", "instead"


def finding(line, kind, name, advice="", cell=0):
    return Finding(Problem(kind, name, advice), line, cell)


@pytest.fixture
def by_file():
    missing, other = "missing", "old name"
    return {
        "a.py": [
            finding(5, other, "tf.z"),
            finding(3, missing, "tf.x", "use tf.y"),
            finding(9, missing, "tf.x", "use tf.y"),
            finding(9, missing, "tf.w", "w"),
        ],
        "good.py": [],
        "b.ipynb": [finding(2, missing, "tf.x", "use tf.y", 4)] * 3,
    }


@pytest.mark.parametrize(
    "called, shown",
    [
        ("/usr/bin/tfmini", "tfmini"),
        ("/lib/tfmini/__main__.py", "python -m tfmini"),
    ],
)
def test_usage_names_invoked_command(monkeypatch, capsys, called, shown):
    monkeypatch.setattr(sys, "argv", [called, "check"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err.startswith(f"usage: {shown} check")
    assert main(["inspect", "nothing"]) == 1
    assert capsys.readouterr().err.startswith(f"{shown} inspect: nothing")
    with pytest.raises(SystemExit, match="0"):
        main(["run", "--help"])
    usage = capsys.readouterr().out.partition("\n\n")[0]
    assert max(map(len, usage.split("\n"))) < 80


def test_json_report_of_findings(by_file):
    report = check.make_report(["a", "b c"], by_file)
    missing, other = "missing", "old name"
    rows = [
        ("a.py", 3, None, missing, "tf.x", "use tf.y"),
        ("a.py", 5, None, other, "tf.z", ""),
        ("a.py", 9, None, missing, "tf.x", "use tf.y"),
        ("a.py", 9, None, missing, "tf.w", "w"),
        *[("b.ipynb", 2, 4, missing, "tf.x", "use tf.y")] * 3,
    ]
    assert json.loads(as_json(report)) == {
        "kind": "check",
        "path": "a b c",
        "files": 3,
        "verdict": "2 of 3 files would fail.",
        "items": [
            dict(zip(("file", "line", "cell", "kind", "name", "advice"), row)) for row in rows
        ],
    }


def test_text_report_of_findings(by_file):
    """Each name once per file, with its first location and the count of others; names by kind and file."""
    report = check.make_report(["p"], by_file)
    positions, counts = report.sections
    missing, other = "missing", "old name"
    assert (positions.title, positions.columns) == ("", LINES)
    assert positions.rows == [
        ("a.py:3 (and 1 more)", missing, "tf.x", "use tf.y"),
        ("a.py:5", other, "tf.z", ""),
        ("a.py:9", missing, "tf.w", "w"),
        ("b.ipynb:cell 4:2 (and 2 more)", missing, "tf.x", "use tf.y"),
    ]
    none = [None] * (len(KINDS) - 3)
    assert (counts.title, counts.columns) == ("By file", ("file", *KINDS))
    assert counts.rows == [("a.py", 2, None, 1, *none), ("b.ipynb", 1, None, None, *none)]
    assert report.lines == ["3 files"] and report.damage_text == ""
    assert as_text(report).splitlines()[:3] == ["p: check", "3 files", ""]


def test_verdict_line():
    fails = finding(1, "unknown", "tf.x")
    assert check.verdict({}) == "No Python file or notebook found."
    assert check.verdict({"a": []}) == "Nothing is missing in 1 file."
    assert check.verdict({"a": [], "b": []}) == "Nothing is missing in 2 files."
    assert check.verdict({"a": [fails]}) == "1 of 1 file would fail."
    many = {str(n): [fails, fails] for n in range(1200)}
    assert check.verdict({**many, "x": []}) == "1,200 of 1,201 files would fail."
    for kind in KINDS:
        one = finding(1, kind, "n")
        for strict in (False, True):
            text = (
                "1 of 1 file would fail." if one.fails(strict) else "Nothing is missing in 1 file."
            )
            assert check.verdict({"a": [one]}, strict) == text
            assert check.make_report(["a"], {"a": [one]}, strict).facts["verdict"] == text


@pytest.mark.parametrize("is_json", [False, True])
def test_command_reenables_garbage_collection(monkeypatch, capsys, by_file, is_json):
    """Garbage collection is re-enabled afterwards, even without findings; files are passed individually."""
    collected = []
    monkeypatch.setattr(check, "files", lambda paths: iter([f"{paths[0]}/x", f"{paths[0]}/y"]))

    def findings(paths):
        collected.append((paths, gc.isenabled()))
        return by_file

    monkeypatch.setattr(check, "findings_by_file", findings)
    arguments = SimpleNamespace(paths=["p"], json=is_json, strict=False, fix=False, diff=False)
    assert check.run(arguments) == 1 and gc.isenabled()
    assert collected == [(["p/x", "p/y"], False)]
    report = check.make_report(["p"], by_file)
    out = capsys.readouterr().out
    assert out == (
        f"{as_json(report)}\n" if is_json else f"{as_text(report)}\n\n{report.facts['verdict']}\n"
    )

    by_file.clear()
    assert check.run(arguments) == 0
    assert "No Python file or notebook found." in capsys.readouterr().out

    def nothing(paths):
        raise FileNotFoundError("there is no p")

    monkeypatch.setattr(check, "findings_by_file", nothing)
    assert check.run(arguments) == 1 and gc.isenabled()
    assert capsys.readouterr() == ("", "python -m tfmini check: there is no p\n")
