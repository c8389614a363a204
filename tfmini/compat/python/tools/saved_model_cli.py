r"""`tensorflow.python.tools.saved_model_cli`: prints a SavedModel's contents, and runs it on inputs.

    saved_model_cli show --dir /tmp/served --all
    saved_model_cli run --dir /tmp/served --tag_set serve --signature_def serving_default \
        --input_exprs 'x=np.ones([1, 3])'
    saved_model_cli scan --dir /tmp/served

`python -m tfmini inspect` shows more of a SavedModel, including its nodes and weights.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.saved_model.objects.load import load_v2
from tfmini._src.saved_model.objects.object_view import ObjectView
from tfmini._src.session.session import Session
from tfmini.compat.python.tools.saved_model_inputs import (
    load_inputs_from_input_arg_string,
    preprocess_input_examples_arg_string,
    preprocess_input_exprs_arg_string,
    preprocess_inputs_arg_string,
)
from tfmini.compat.python.tools.saved_model_utils import (
    get_meta_graph_def,
    get_saved_model_tag_sets,
    read_saved_model,
)

__all__ = [
    "create_parser",
    "get_meta_graph_def",
    "get_signature_def_map",
    "load_inputs_from_input_arg_string",
    "main",
    "preprocess_input_examples_arg_string",
    "preprocess_input_exprs_arg_string",
    "preprocess_inputs_arg_string",
    "run",
    "run_saved_model_with_feed_dict",
    "scan",
    "scan_meta_graph_def",
    "show",
]

_OF_FILES = {"WriteFile", "ReadFile", "PrintV2"}  # ops that access files or standard output


def get_signature_def_map(saved_model_dir: str, tag_set: str) -> Any:
    """Returns the signatures of the graph with these tags, by key; raises RuntimeError for unknown tags."""
    return get_meta_graph_def(saved_model_dir, tag_set).signature_def


def show(args: argparse.Namespace) -> None:
    """Prints the tags, the signatures of a graph, or the inputs and outputs of a signature."""
    if args.all:
        _show_all(args.dir)
    elif args.tag_set is None:
        tag_sets = sorted(get_saved_model_tag_sets(args.dir))
        print("The given SavedModel contains the following tag-sets:")
        for tags in tag_sets:
            print(", ".join(sorted(tags)))
    elif args.signature_def is None:
        keys = sorted(get_signature_def_map(args.dir, args.tag_set))
        print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
        for key in keys:
            print(f'SignatureDef key: "{key}"')
    else:
        signatures = get_signature_def_map(args.dir, args.tag_set)
        _show_signature(signatures[args.signature_def], "")


def _show_all(directory: str) -> None:
    for tags in sorted(get_saved_model_tag_sets(directory)):
        print(
            f"\nMetaGraphDef with tag-set: '{', '.join(tags)}' contains the following SignatureDefs:"
        )
        signatures = get_signature_def_map(directory, ",".join(tags))
        for key in sorted(signatures):
            print(f"\nsignature_def['{key}']:")
            _show_signature(signatures[key], "  ")
    if any(graph.HasField("object_graph_def") for graph in read_saved_model(directory).meta_graphs):
        _show_functions(directory)


def _show_functions(directory: str) -> None:
    """Prints the functions of a SavedModel of objects, and the arguments of their traces."""
    with Graph().as_default():
        root = load_v2(directory)
        print("\nDefined Functions:", end="")
        for name, function in sorted(ObjectView(root).functions(root).items()):
            print(f"\n  Function Name: '{name}'")
            traces = function._list_all_concrete_functions_for_serialization()
            for number, trace in enumerate(traces, 1):
                positional, keywords = trace.structured_input_signature
                print(f"    Option #{number}\n      Callable with:")
                _show_arguments(positional, "Argument")
                _show_arguments(keywords, "Named Argument")


def _show_arguments(arguments: Iterable[Any], kind: str) -> None:
    """Prints arguments; of named ones the names alone, as TensorFlow does."""
    for number, value in enumerate(arguments, 1):
        print(f"        {kind} #{number}")
        if isinstance(value, TensorSpec):
            print(f"          {value.name}: {value!r}")
            continue
        print(f"          DType: {type(value).__name__}")
        if isinstance(value, dict):
            items = "".join(f"'{key}': {_quoted(item)}, " for key, item in value.items())
            print(f"          Value: {{{items}\b\b}}")
        elif isinstance(value, Iterable):
            print(f"          Value: [{''.join(f'{_quoted(item)}, ' for item in value)}\b\b]")
        else:
            print(f"          Value: {value}")


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _show_signature(signature: Any, indent: str) -> None:
    for direction in ("input", "output"):
        print(f"{indent}The given SavedModel SignatureDef contains the following {direction}(s):")
        for key, info in sorted(getattr(signature, f"{direction}s").items()):
            print(f"{indent}  {direction}s['{key}'] tensor_info:")
            shape = info.tensor_shape
            sizes = ", ".join(str(dim.size) for dim in shape.dim)
            further = indent + "      " if indent else "      "
            print(f"{further}dtype: {proto.DataType.Name(info.dtype)}")
            print(f"{further}shape: {'unknown_rank' if shape.unknown_rank else f'({sizes})'}")
            print(f"{further}name: {info.name}")
    print(f"{indent}Method name is: {signature.method_name}")


def run_saved_model_with_feed_dict(
    saved_model_dir: str,
    tag_set: str,
    signature_def_key: str,
    input_tensor_key_feed_dict: dict[str, Any],
    outdir: str | None,
    overwrite_flag: bool,
    worker: str | None = None,
    init_tpu: bool = False,
    tf_debug: bool = False,
) -> None:
    """Runs a signature, prints its outputs, and writes them to files.

    Args:
      saved_model_dir: the folder of the SavedModel.
      tag_set: the tags of the graph, separated by commas.
      signature_def_key: the key of the signature.
      input_tensor_key_feed_dict: arrays to feed, by input key.
      outdir: the folder for the files, KEY.npy for each output, created if missing; None to write no files.
      overwrite_flag: whether to overwrite existing files.
      worker: the target of the session.
      init_tpu: must be false, since TPUs are not supported.
      tf_debug: must be false, since the debugger is not supported.

    Raises:
      ValueError: for a key that is not an input.
      RuntimeError: if an output file exists and `overwrite_flag` is false, or for unknown tags.
      NotImplementedError: if `init_tpu` or `tf_debug` is requested.
    """
    if init_tpu or tf_debug:
        option, reason = ("init_tpu", "TPUs") if init_tpu else ("tf_debug", "debugger")
        raise NotImplementedError(f"--{option}: there is no {reason}; leave it out")
    signature = get_signature_def_map(saved_model_dir, tag_set)[signature_def_key]
    for key in input_tensor_key_feed_dict:
        if key not in signature.inputs:
            choices = '", "'.join(signature.inputs)
            raise ValueError(
                f'"{key}" is not a valid input key. Please choose from "{choices}", or use --show option.'
            )
    feeds = {signature.inputs[key].name: value for key, value in input_tensor_key_feed_dict.items()}
    keys = sorted(signature.outputs)
    with Session(worker, graph=Graph()) as session:
        load_graph(session, tag_set.split(","), saved_model_dir)
        outputs = session.run([signature.outputs[key].name for key in keys], feeds)
    for key, output in zip(keys, outputs):
        print(f"Result for output key {key}:\n{output}")
        if outdir:
            os.makedirs(outdir, exist_ok=True)
            path = os.path.join(outdir, f"{key}.npy")
            if not overwrite_flag and os.path.exists(path):
                raise RuntimeError(
                    f'Output file {path} already exists. Add "--overwrite" to overwrite the existing output files.'
                )
            np.save(path, output)
            print(f"Output {key} is saved to {path}")


def run(args: argparse.Namespace) -> None:
    """Runs a signature; raises AttributeError if there are no inputs."""
    if not args.inputs and not args.input_exprs and not args.input_examples:
        raise AttributeError(
            "At least one of --inputs, --input_exprs or --input_examples must be required"
        )
    feeds = load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples)
    run_saved_model_with_feed_dict(
        *(args.dir, args.tag_set, args.signature_def, feeds, args.outdir, args.overwrite),
        worker=args.worker,
        init_tpu=args.init_tpu,
        tf_debug=args.tf_debug,
    )


def scan_meta_graph_def(meta_graph_def: Any) -> None:
    """Prints the ops of a graph, including its functions, that read or write external state."""
    graph = meta_graph_def.graph_def
    nodes = [*graph.node, *(node for f in graph.library.function for node in f.node_def)]
    file_ops = _OF_FILES & {node.op for node in nodes}
    start = f"MetaGraph with tag set {meta_graph_def.meta_info_def.tags}"
    if file_ops:
        print(f"{start} contains the following blacklisted ops:", file_ops)
    else:
        print(f"{start} does not contain blacklisted ops.")


def scan(args: argparse.Namespace) -> None:
    """Scans the graph with the given tags, or all graphs."""
    if args.tag_set:
        graphs = [get_meta_graph_def(args.dir, args.tag_set)]
    else:
        graphs = read_saved_model(args.dir).meta_graphs
    for graph in graphs:
        scan_meta_graph_def(graph)


def create_parser() -> argparse.ArgumentParser:
    """Returns the command line parser."""
    parser = argparse.ArgumentParser(
        description="saved_model_cli: Command-line interface for SavedModel"
    )
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(title="commands", description="valid commands")
    parsers = {}
    for command, about in (
        (show, "tags, signatures, inputs and outputs of a SavedModel"),
        (run, "the results of a signature"),
        (scan, "ops that read or write files"),
    ):
        parsers[command] = commands.add_parser(command.__name__, description=about, help=about)
        parsers[command].add_argument("--dir", required=True, help="SavedModel folder")
        parsers[command].add_argument(
            "--tag_set", required=command is run, help="comma-separated tags of a graph"
        )
        parsers[command].set_defaults(func=command)
    parsers[show].add_argument("--all", action="store_true", help="show everything")
    for command in (show, run):
        parsers[command].add_argument(
            "--signature_def",
            required=command is run,
            metavar="SIGNATURE_DEF_KEY",
            help="signature key",
        )
    for option, about in (
        ("inputs", "'x=file.npz[name];y=file.npy': arrays of .npy, .npz or pickle files"),
        ("input_exprs", "'x=np.ones(2);y=[1, 2]': Python expressions; numpy is np"),
        ("input_examples", "'x=[{\"age\": [22]}]': lists of dicts, each a tf.Example"),
    ):
        parsers[run].add_argument(f"--{option}", default="", help=about)
    parsers[run].add_argument("--outdir", help="output folder")
    parsers[run].add_argument("--worker", help="session target")
    for option, about in (
        ("overwrite", "overwrite existing files"),
        ("tf_debug", "refused: there is no debugger"),
        ("init_tpu", "refused: there are no TPUs"),
    ):
        parsers[run].add_argument(f"--{option}", action="store_true", help=about)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the tool with `arguments`, by default the command line's."""
    parser = create_parser()
    args = parser.parse_args(arguments)
    if not hasattr(args, "func"):
        parser.error("too few arguments")
    args.func(args)


if __name__ == "__main__":
    main()
