"""tfmini's record and event files, read by TensorFlow 1.15.5 itself."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import tfmini as tf
from tests.formats import event_files
from tests.formats.records import RECORDS, examples

PROGRAM = """
import json, os, sys
import tensorflow as tf
folder = sys.argv[1]
found = {}
for kind in ("", "GZIP", "ZLIB"):
    path = os.path.join(folder, "records" + kind)
    found[kind] = [r.hex() for r in tf.compat.v1.io.tf_record_iterator(path, kind)]
path = os.path.join(folder, "examples")
found["examples"] = [
    str(tf.train.Example.FromString(r)) for r in tf.compat.v1.io.tf_record_iterator(path)
]
(path,) = [os.path.join(folder, "log", name) for name in os.listdir(os.path.join(folder, "log"))]
events = list(tf.compat.v1.train.summary_iterator(path))
found["events"] = [[event.WhichOneof("what"), event.step] for event in events]
graph = tf.compat.v1.GraphDef.FromString(events[1].graph_def)
found["nodes"] = [node.name for node in graph.node]
print(json.dumps(found))
"""


@pytest.mark.reference
def test_tensorflow_reads_written_records(reference, tmp_path):
    for kind in ("", "GZIP", "ZLIB"):
        with tf.io.TFRecordWriter(str(tmp_path / f"records{kind}"), kind) as writer:
            for record in RECORDS:
                writer.write(record)
    with tf.io.TFRecordWriter(str(tmp_path / "examples")) as writer:
        for example in examples(tf):
            writer.write(example.SerializeToString())
    event_files.write(tf, str(tmp_path / "log"))
    command = [reference, "-W", "ignore", "-c", PROGRAM, str(tmp_path)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    output = subprocess.run(command, check=True, capture_output=True, env=environment).stdout
    result = json.loads(output)
    for kind in ("", "GZIP", "ZLIB"):
        assert [bytes.fromhex(text) for text in result[kind]] == RECORDS
    assert result["examples"] == [str(example) for example in examples(tf)]
    (path,) = Path(tmp_path / "log").iterdir()
    ours = list(tf.train.summary_iterator(str(path)))
    assert result["events"] == [[event.WhichOneof("what"), event.step] for event in ours]
    graph = tf.GraphDef.FromString(ours[1].graph_def)
    assert result["nodes"] == [node.name for node in graph.node]
