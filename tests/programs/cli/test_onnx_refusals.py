"""Errors of failing conversions name loops, ops and nodes."""

import logging

from tfmini._src.programs.cli.onnx_refusals import UnconvertedNodes, refusal


def test_refusal_lists_nodes_by_op():
    assert refusal({"x/b": "B", "x/a_1": "A", "x/a": "A"}) == (
        "tf2onnx cannot convert A (x/a), B (x/b)"
    )
    assert refusal({"m": "Merge"}) == "tf2onnx cannot convert Merge (m)"
    text = refusal({"": "ParseExampleV2"})
    assert text.startswith("tf2onnx cannot convert ParseExampleV2, and ONNX parses no tf.Example")
    assert "--inputs" in text and "build_raw_serving_input_receiver_fn" in text


def test_refusal_names_loops():
    log, nodes = logging.Logger("tf2onnx"), UnconvertedNodes()
    log.addHandler(nodes)
    log.error("Unsupported ops: %s", {"Enter": 1})
    for name, op in (("f/while/LoopCond", "LoopCond"), ("f/while/Enter", "Enter"), ("g", "Gone")):
        log.error("Tensorflow op [%s: %s] is not supported", name, op)
    assert nodes.ops == {"f/while/LoopCond": "LoopCond", "f/while/Enter": "Enter", "g": "Gone"}
    text = refusal(nodes.ops)
    assert text.startswith("tf2onnx cannot convert the loop f/while, Gone (g); export a graph that")
