"""Many programs, checked by several processes."""

import os

from tfmini._src.programs.check import programs


def test_worker_processes_match_serial_findings(tmp_path, monkeypatch):
    files = []
    for index in range(3):
        file = tmp_path / f"{index}.py"
        file.write_text("import tensorflow as tf\n" * index + "tf.mul(1, 2)\nx = (\n" * (index > 1))
        files.append(str(file))
    alone = {file: programs.findings(file) for file in files}
    monkeypatch.setattr(programs, "_MIN_PARALLEL_FILES", 2)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert programs.findings_by_file(files) == alone
    assert [len(result) for result in alone.values()] == [0, 0, 1]
