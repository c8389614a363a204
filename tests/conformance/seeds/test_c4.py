"""Row C4: Checkpoints that do not match the graph."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the snippet changes to its own folder
    snippets.check("c4_mismatches", tf)
