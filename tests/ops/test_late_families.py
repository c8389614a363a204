"""late_families: what is asked for is there; the types are those that the family declares."""

import json
import subprocess
import sys

import pytest

from tfmini.ops import late_families

# In a process of its own: here other tests have loaded the family.
IN_A_NEW_PROCESS = """
import json, sys
import tfmini as tf
from tfmini.graph.opdef import raw, registry
early = set(registry)
loaded = [name for name in sys.modules if name.startswith("tfmini.ops.image.res")]
{ask}
print(json.dumps([loaded, sorted(set(registry) - early)]))
"""
WAYS = {
    "namespace": "tf.image.hsv_to_rgb(tf.zeros([2, 2, 3]))",
    "raw": "raw.ResizeBilinear",
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
def test_the_family_is_there_when_one_is_asked_for(way):
    code = IN_A_NEW_PROCESS.format(ask=WAYS[way])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, declared = json.loads(done.stdout)
    assert before == []
    if way == "namespace":  # a function at a time
        assert "HSVToRGB" in declared and set(declared) < set(late_families.IMAGE)
    elif way == "all":
        assert set(declared) > set(late_families.IMAGE)
    else:
        assert set(declared) == set(late_families.IMAGE)


def test_a_type_is_known_before_it_is_declared():
    code = "from tfmini.graph.opdef import raw, registry\nprint('RGBToHSV' in registry, 'RGBToHSV' in dir(raw))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


@pytest.mark.parametrize(
    "name, family",
    [("FIFOQueueV2", "QUEUES"), ("RangeDataset", "DATASETS"), ("RaggedRange", "RAGGED")],
)
def test_the_types_of_a_family_are_those_that_are_declared(name, family):
    code = (
        f"from tfmini.graph.opdef import raw, registry\nbefore = set(registry)\nraw.{name}\n"
        "from tfmini.ops import late_families\nfrom tfmini.graph.lookup import registry\n"
        f"missing = [name for name in late_families.{family} if registry.get(name) is None]\n"
        f"print(missing, sorted(set(registry) - before - set(late_families.{family})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"
