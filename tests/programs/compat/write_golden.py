"""Records TensorFlow's tools on the tests' graphs and SavedModel: `golden/tools/`."""

import json
import os
import sys
import tempfile

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.tools import optimize_for_inference_lib, saved_model_cli

from tests.programs.compat import tool_commands, tool_graphs

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "golden", "tools"
)


def main(command):
    sys.argv = ["saved_model_cli", *command]
    saved_model_cli.main()


def write():
    os.makedirs(FOLDER, exist_ok=True)
    for name, options in tool_graphs.GRAPHS.items():
        graph_def = text_format.Merge(tool_graphs.graph(**options), tf.GraphDef())
        optimized = optimize_for_inference_lib.optimize_for_inference(
            graph_def, ["images"], ["out"], 1
        )
        with open(os.path.join(FOLDER, name + ".pb"), "wb") as file:
            file.write(optimized.SerializeToString())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tool_commands.save(tf, folder)
        result = tool_commands.answers(main)
    with open(os.path.join(FOLDER, "saved_model_cli.json"), "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
