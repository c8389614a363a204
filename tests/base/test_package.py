"""The distribution name and the package folder name."""

import os
import re
from pathlib import Path

import tfmini
from tfmini._src.base.package import DISTRIBUTION, FOLDER

ROOT = Path(__file__).resolve().parents[2]


def test_the_distribution_has_the_name_that_messages_say():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nname = "{DISTRIBUTION}"\n' in project
    assert set(re.findall(r"\"(tfmini[a-z-]*)\[", project)) == {DISTRIBUTION}


def test_no_page_advises_to_install_another_project():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tfmini").rglob("*.py")]
    found = [p for p in pages if re.search(r"pip install '?tfmini(?!-runtime)\b", p.read_text())]
    assert found == []


def test_the_folder():
    assert os.path.dirname(os.path.abspath(tfmini.__file__)) == FOLDER
