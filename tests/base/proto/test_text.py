"""Text format: byte-identical to TensorFlow's files, and parsed back unchanged."""

import os
import subprocess
from pathlib import Path

import pytest

import tfmini as tf
from tests.base.proto import text_graphs
from tfmini._src.base import proto

ROOT = Path(__file__).parents[3]
# TensorFlow 1.15.5's output for the GraphDef of `test_values`.
PRINTED = r"""node {
  name: "a\303\274"
  attr {
    key: "b"
    value {
      b: true
    }
  }
  attr {
    key: "f"
    value {
      f: 0.10000000149011612
    }
  }
  attr {
    key: "l"
    value {
      list {
        i: -1
        i: 5
        type: DT_FLOAT
        type: 77
      }
    }
  }
  attr {
    key: "n"
    value {
      f: nan
    }
  }
  attr {
    key: "s"
    value {
      s: "\377\000\n\'\""
    }
  }
  attr {
    key: "x"
    value {
    }
  }
}
versions {
}
"""


def test_values():
    graph = tf.GraphDef()
    attrs = graph.node.add(name="a\u00fc").attr
    attrs["x"].SetInParent()
    attrs["n"].f = float("nan")
    attrs["l"].list.i.extend([-1, 5])
    attrs["l"].list.type.extend([1, 77])
    attrs["f"].f = 0.1
    attrs["s"].s = b"\xff\x00\n'\""
    attrs["b"].b = True
    graph.versions.SetInParent()
    assert str(graph) == PRINTED


def test_doubles_and_enums():
    histogram = tf.HistogramProto(min=0.1, bucket=[1e-300, 1e22, 1e15, 1e16])
    lines = ["min: 0.1", *(f"bucket: {b}" for b in ("1e-300", "1e+22", "1000000000000000.0"))]
    assert str(histogram) == "\n".join([*lines, "bucket: 1e+16", ""])
    assert str(tf.GraphDef()) == ""


@pytest.mark.parametrize("make", text_graphs.GRAPHS)
def test_text_round_trip(tmp_path, make):
    make(tf)
    graph_def = tf.get_default_graph().as_graph_def()
    path = tf.train.write_graph(graph_def, str(tmp_path), "graph.pbtxt")
    text = Path(path).read_text("ascii")
    restored = proto.parse_text(text, tf.GraphDef())
    assert str(restored) == text
    expected = graph_def.SerializeToString(deterministic=True)
    assert restored.SerializeToString(deterministic=True) == expected


@pytest.mark.reference
def test_files_match_tensorflow(tmp_path, reference):
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for directory in (theirs, ours):
        directory.mkdir()
    command = [reference, "-W", "ignore", "-m", "tests.base.proto.text_graphs", theirs]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    text_graphs.write(tf, str(ours))
    names = sorted(path.name for path in theirs.iterdir())
    assert len(names) == 2 * len(text_graphs.GRAPHS)
    for name in names:
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()
