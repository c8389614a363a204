"""`python -m tfmini export`: a model for ONNX Runtime or serving, or its arrays for PyTorch, NumPy and others."""

from __future__ import annotations

import argparse
from typing import Any

from tfmini._src.programs.cli import array_export, onnx_export, saved_model_export


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "export",
        help="convert a model to ONNX or a SavedModel, or its arrays to safetensors, .npz or a checkpoint",
        description="Convert a model. --onnx accepts a checkpoint (with its .meta), SavedModel, frozen graph or Keras "
        "model, and compares ONNX Runtime's results with tfmini's on random inputs (extra onnx). --saved-model "
        "accepts a checkpoint with its .meta, a frozen graph or a Keras model (extra keras). The other options export "
        "the arrays of a checkpoint, SavedModel, Keras .h5 (extra keras), safetensors or .npz file.",
    )
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--onnx", metavar="MODEL", help="write an ONNX model")
    target.add_argument("--saved-model", metavar="FOLDER", help="write a SavedModel")
    target.add_argument("--safetensors", metavar="FILE", help="write arrays as safetensors")
    target.add_argument("--npz", metavar="FILE", help="write arrays as NumPy's .npz")
    target.add_argument("--checkpoint", metavar="PREFIX", help="write arrays as a checkpoint")
    parser.add_argument("source", metavar="SOURCE", help="checkpoint prefix, directory or file")
    parser.add_argument(
        "--layout",
        choices=("tf", "torch"),
        default="tf",
        help="with --safetensors and --npz: the axes of convolution and dense kernels in TensorFlow's order (default) "
        "or in PyTorch's; the file's metadata lists the transposed arrays, and --checkpoint transposes them back",
    )
    onnx_export.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Converts the model and prints the results; returns the exit status."""
    if arguments.onnx:
        return onnx_export.run(arguments)
    return (saved_model_export if arguments.saved_model else array_export).run(arguments)
