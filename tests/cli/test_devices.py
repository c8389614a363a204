"""`python -m tfmini devices` on a machine whose GPUs, if any, are hidden."""

import json
import os
import subprocess
import sys


def tfmini(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tfmini", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", **environment},
    )


def test_says_why_there_is_no_gpu():
    done = tfmini("devices")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("/cpu:0")
    assert lines[1].strip() == f"{os.cpu_count()} cores"
    assert lines[-2:] == [
        "CUDA_VISIBLE_DEVICES = ''",
        "No GPU: CUDA_VISIBLE_DEVICES='' hides all GPUs.",
    ]


def test_json_for_programs():
    done = tfmini("devices", "--json")
    report = json.loads(done.stdout)
    assert [d["name"] for d in report["devices"]] == ["/cpu:0"]
    assert report["devices"][0]["kind"] == "CPU"
    assert report["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert report["CUDA_VISIBLE_DEVICES"] == ""
    assert "hides all GPUs" in report["why"]


def test_wrong_usage():
    for arguments in ((), ("nothing",), ("devices", "--yaml")):
        done = tfmini(*arguments)
        assert done.returncode == 2
        assert "usage: python -m tfmini" in done.stderr
