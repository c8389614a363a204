"""Row C5: Retention and lookup of checkpoints; meta graphs in new graphs."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the snippet changes to its own folder
    snippets.check("c5_checkpoints", tf)
