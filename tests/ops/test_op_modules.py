"""op_modules: ops and functions are declared on first access, by the files in the table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tfmini._src.graph.opdef import raw, registry

ROOT = Path(__file__).resolve().parents[2]
FILE = "tfmini._src.ops.image.color_ops"

# In a separate process: here other tests have loaded all ops.
IN_A_NEW_PROCESS = """
import json, sys
import tfmini as tf
from tfmini._src.graph.opdef import raw, registry
early = set(registry)
before = "{file}" in sys.modules
{ask}
print(json.dumps([before, "{file}" in sys.modules, sorted(set(registry) - early)]))
"""
WAYS = {
    "namespace": "tf.image.hsv_to_rgb(tf.zeros([2, 2, 3]))",
    "raw": "raw.HSVToRGB",
    "registry": "assert registry['HSVToRGB'].name == 'HSVToRGB'",
    "get": "assert registry.get('HSVToRGB') and registry.get('HSVToRBG') is None",
    "all": "registry.declare_all()",
    "import": """
graph = tf.GraphDef()
node = graph.node.add(name="p", op="Placeholder")
node.attr["dtype"].type = 1
graph.node.add(name="h", op="HSVToRGB", input=["p"]).attr["T"].type = 1
tf.import_graph_def(graph)""",
}


@pytest.mark.parametrize("way", WAYS)
def test_module_loads_on_first_op_access(way):
    code = IN_A_NEW_PROCESS.format(ask=WAYS[way], file=FILE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after, declared = json.loads(done.stdout)
    assert not before and after
    assert {"HSVToRGB", "RGBToHSV"} <= set(declared)
    assert ("DecodeGif" in declared) == (way == "all")


def test_type_is_known_before_declaration():
    code = (
        "from tfmini._src.graph.opdef import raw, registry\n"
        "print('RGBToHSV' in registry, 'RGBToHSV' in dir(raw), 'RGBToHSV' in registry.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True False\n"


def test_ops_are_not_hidden():
    names = dir(raw)
    assert len(names) > 1000
    assert [name for name in names if getattr(raw, name) is not registry[name]] == []


def test_hello_loads_little():
    code = (
        "import sys\nimport tfmini as tf\nwith tf.Session() as session:\n    session.run(tf.add(1, 2))\n"
        "print(sum(name.startswith('tfmini') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 210
