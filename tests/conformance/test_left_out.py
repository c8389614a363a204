"""docs/left_out.md lists exactly the missing names."""

import re
import subprocess
import types
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import tfmini as tf
from tests.conformance import public_names, test_api, test_every_op
from tfmini._src.base.names import hints, left_out
from tfmini._src.base.names.renamed import RENAMED_MODULES, RENAMED_SYMBOLS
from tfmini._src.graph.opdef import registry

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "docs" / "left_out.md").read_text(encoding="utf-8")
ROWS = left_out.parse_rows(TEXT)
PRIVATE = re.findall("`([^`]+)`", next(s for s in TEXT.split("\n\n") if "Private modules" in s))

# Packages of TensorFlow not covered by tests/golden/api.json.xz.
_CONTRIB = """
autograph batching bayesflow cloud compiler constrained_optimization eager ffmpeg input_pipeline
keras labeled_tensor memory_stats optimizer_v2 periodic_resample proto quantization recurrent
reduce_slice_ops remote_fused_graph rpc solvers specs stat_summarizer tensor_forest tensorboard
"""
UNRECORDED = {
    *("tf.compat.v2", "tf.lite", "tf.tpu"),
    *(f"tf.contrib.{name}" for name in _CONTRIB.split()),
}


def is_there(name):
    """Whether tfmini offers it: hidden module members do not count."""
    value = tf
    for part in name.split(".")[1:]:
        of_module = isinstance(value, types.ModuleType)
        if not (part in dir(value) if of_module else hasattr(value, part)):
            return False
        value = getattr(value, part)
    return name.startswith("tf.")


def used_names():
    """The names used by two or more of 125 public repositories with TensorFlow 1.x programs."""
    return (ROOT / "tests" / "golden" / "used_names.txt").read_text().split()


def owner(name):
    return name.rpartition(".")[0]


def missing_names():
    """Names that tfmini lacks in all modules except tf.raw_ops, and names of other modules that programs use."""
    golden = public_names.read()
    modules = {"tf", *(f"tf.contrib.{part}" for part in public_names.CONTRIB)}
    modules |= {name for name, text in golden.items() if text == "module"}
    modules.remove("tf.raw_ops")
    recorded = {n for n, text in golden.items() if owner(n) in modules and text != "module"}
    missing = {name for name in recorded | UNRECORDED if not is_there(name)}
    older = {f"tf.{name}" for name in {**RENAMED_SYMBOLS, **RENAMED_MODULES}}
    for name in sorted(used_names()):  # a class before its attributes
        known = any(name == m or name.startswith(m + ".") for m in missing)
        known |= any(m.startswith(name + ".") for m in missing)
        private = any(fnmatchcase(name, pattern) for pattern in PRIVATE)
        if not (known or private or name in older or is_there(name)):
            missing.add(name)
    return missing


def missing_ops():
    there = {*registry, *registry.late}  # some are declared on first use
    return {f"ops.{name}" for name in set(test_every_op.definitions()) - there}


def test_missing_names_are_listed():
    listed = {f"{owner}.{name}" for _, owner, names in ROWS for name in names}
    assert sorted((missing_names() | missing_ops()) - listed) == [], "not in docs/left_out.md"


def test_listed_names_are_missing():
    missing = missing_names() | missing_ops()
    there = [
        f"docs/left_out.md:{line}: delete `{name}` of {owner}"
        for line, owner, names in ROWS
        for name in names
        if f"{owner}.{name}" not in missing
    ]
    assert there == [], "here by now, or never TensorFlow's; `ci/generate left_out` deletes them"


def test_names_are_listed_once():
    listed = [(owner, name) for _, owner, names in ROWS for name in names]
    assert len(listed) == len(set(listed))


def test_every_table_is_read():
    """A row that does not match the row pattern would be ignored."""
    lines = [line for line in TEXT.splitlines() if line.startswith("|")]
    tables = [line for line in lines if line not in ("| | |", "| --- | --- |")]
    assert len(tables) == len(ROWS) > 20


@pytest.mark.reference
def test_packages_match_tensorflow(reference):
    code = (
        "import tensorflow as tf; print(*dir(tf), *('contrib.' + name for name in dir(tf.contrib)))"
    )
    printed = subprocess.run(
        [str(reference), "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    theirs = {f"tf.{name}" for name in printed.stdout.split() if "_" not in (name[0], name[8:9])}
    golden = public_names.read()
    modules = {name for name in theirs if name.startswith("tf.contrib.")} | public_names.LEFT_OUT
    recorded = {owner(name) for name in golden}
    assert UNRECORDED | {"tf.compat.v1"} == modules - recorded


def test_used_name_count_does_not_shrink():
    """A growing document would hide a removed name; this number only grows."""
    assert sum(is_there(name) for name in used_names()) >= 422


def test_used_names_are_compared_with_tensorflow():
    """Except for names outside of namespaces: message fields, the version, members of `tf.contrib.learn`."""
    compared = set(test_api.golden()) & set(test_api.here())
    others = {"tf.RunOptions.FULL_TRACE", "tf.Summary.Value", "tf.__version__"}
    processor = "tf.contrib.learn.preprocessing.VocabularyProcessor"
    others |= {processor, f"{processor}.restore"}
    projector = "tf.contrib.tensorboard.plugins.projector"  # a plugin, which is not recorded
    others |= {f"{projector}.ProjectorConfig", f"{projector}.visualize_embeddings"}
    # Modules merely imported by slim, which the record omits.
    slim = ("", ".losses.softmax_cross_entropy", ".model_analyzer.analyze_vars")
    slim += (".utils.convert_collection_to_dict", ".evaluation.evaluate_once", ".learning.train")
    slim += (".metrics.aggregate_metric_map",)
    slim += (".dataset.Dataset", ".dataset_data_provider.DatasetDataProvider")
    slim += (".prefetch_queue.prefetch_queue", ".tfexample_decoder.TFExampleDecoder")
    slim += (".tfexample_decoder.Image", ".tfexample_decoder.Tensor")
    others |= {f"tf.contrib.slim{name}" for name in slim}
    assert {name for name in used_names() if is_there(name)} - compared == others


def test_hints_belong_to_listed_names():
    """Each replaces a listed name, one of its members, or a module's names."""
    owners = {owner for _, owner, _ in ROWS}
    unlisted = [
        name
        for name in hints._REPLACEMENT_ADVICE
        if name.startswith("tf.") and not left_out.is_left_out(name) and name not in owners
    ]
    assert unlisted == []


def test_most_names_have_a_hint():
    names = [f"{owner}.{name}" for _, owner, names in ROWS for name in names if owner != "ops"]
    without = [name for name in names if hints._CHECK_ADVICE in hints.is_missing(name)]
    assert len(without) <= 11, without  # no replacement exists
