"""Placements match TensorFlow 1.15.5's: the programs of tests/conformance/placements, its log."""

import importlib
import json
import os
import subprocess

import pytest

import tfmini as tf
from tests.conformance import bad_input, placements
from tests.conformance.placements import _random
from tests.conftest import ROOT
from tests.support import cases, recorded
from tests.support.programs import recording
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.registry import listed


def every_case():
    for module_name in recording.names_in("conformance/placements"):
        module = importlib.import_module("tests.conformance.placements." + module_name)
        for name, case in bad_input.cases(module):
            yield pytest.param(module_name, name, case, id=f"{module_name}-{name}")


@cases.in_one_test
@pytest.mark.parametrize(("module", "name", "case"), list(every_case()))
def test_same_placement(module, name, case):
    golden = placements.golden(module)
    devices = [
        DeviceAttributes(name, name.split(":")[-2], 1 << 30, 0) for name in golden["devices"]
    ]
    placement = Placement(devices, soft=getattr(case, "soft", False), log=True)
    got, error = placements.placed(tf, case, placement.update)
    want = golden["cases"][name]
    if "error" not in want:
        recorded.same(error, None, "error")
        recorded.same("\n".join(got["log"]), "\n".join(want["log"]))
        return
    recorded.same(got.get("error", {}).get("class"), want["error"]["class"], str(error))
    recorded.same(got["error"]["text"], want["error"]["text"])
    if "node" in want["error"]:
        recorded.same(got["error"], want["error"])
        assert f"[[node {want['error']['node']} (defined at {case.__code__.co_filename}:" in str(
            error
        )


@cases.in_one_test
@pytest.mark.parametrize(("module", "name", "case"), list(every_case()))
def test_logging_does_not_change_placement(module, name, case):
    golden = placements.golden(module)
    if "error" in golden["cases"][name]:
        return
    devices = [
        DeviceAttributes(name, name.split(":")[-2], 1 << 30, 0) for name in golden["devices"]
    ]
    quiet = Placement(devices, soft=getattr(case, "soft", False))
    graphs = []

    def place(graph):
        graphs[:] = [graph]
        quiet.update(graph)

    _, error = placements.placed(tf, case, place)
    assert error is None
    last = {line.split(": ")[0]: line.split(": ")[2] for line in golden["cases"][name]["log"]}
    assert {op.name: quiet.op_device(op) for op in graphs[0].get_operations()} == last


def test_recordings_cover_enough_cases():
    goldens = [placements.golden(name) for name in recording.names_in("conformance/placements")]
    assert sum("log" in row for golden in goldens for row in golden["cases"].values()) >= 50


@pytest.mark.reference
def test_random_graphs_match_tensorflow(reference, tmp_path):
    count, rows = 60, tmp_path / "rows.json"
    command = [str(reference), "-W", "ignore", "-m", "tests.conformance.placements._random"]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    environment.pop("PYTHONPATH", None)
    subprocess.run([*command, "0", str(count), str(rows)], check=True, env=environment, cwd=ROOT)
    devices = listed(tf.ConfigProto(device_count=_random.DEVICES), {})
    for seed, want in enumerate(json.loads(rows.read_text())):
        case = _random.case(seed)
        got, error = placements.placed(
            tf, case, Placement(devices, soft=case.soft, log=True).update
        )
        if "error" in want:
            want["error"].pop("line", None)
            got["error"] = {key: got["error"].get(key) for key in want["error"]}
        assert got == want, f"seed {seed}: {error}"
