"""The distribution name and the package folder name."""

import os
import re
from pathlib import Path

import tfmini
from tfmini._src.base.package import DISTRIBUTION, PACKAGE_DIRECTORY

ROOT = Path(__file__).resolve().parents[2]


def test_distribution_name_matches_pyproject():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nname = "{DISTRIBUTION}"\n' in project
    assert set(re.findall(r"\"(tfmini[a-z-]*)\[", project)) == {DISTRIBUTION}


def test_no_page_names_another_distribution():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tfmini").rglob("*.py")]
    result = [p for p in pages if re.search(r"pip install '?tfmini(?!-runtime)\b", p.read_text())]
    assert result == []


def test_package_directory():
    assert os.path.dirname(os.path.abspath(tfmini.__file__)) == PACKAGE_DIRECTORY
