"""Inputs of `saved_model_cli run`: arrays from files, Python expressions, and tf.Examples."""

from __future__ import annotations

import os
import re
import warnings
from io import BytesIO
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.names.safety import is_safe
from tfmini._src.formats.open_file import read_bytes


def preprocess_inputs_arg_string(inputs_str: str) -> dict[str, tuple[str, str | None]]:
    """Parses "x=file.npz[name];y=file.npy" to a file and an array name (or None) per input.

    Raises:
      RuntimeError: for any other format.
    """
    files = {}
    for text in filter(bool, inputs_str.split(";")):
        match = re.fullmatch(r"([^=]+)=([^\[\]]+)(?:\[([^\[\]]+)\])?", text)
        if match is None:
            raise RuntimeError(
                f'--inputs "{text}" format is incorrect. Please follow"<input_key>=<filename>", or'
                '"<input_key>=<filename>[<variable_name>]"'
            )
        files[match[1]] = match[2], match[3]
    return files


def preprocess_input_exprs_arg_string(input_exprs_str: str) -> dict[str, Any]:
    """Parses "x=np.ones(2);y=[1, 2]" to a value per input; numpy is `np`.

    Raises:
      RuntimeError: for any other format.
    """
    values = {}
    for text in filter(bool, input_exprs_str.split(";")):
        key, equals, expression = text.partition("=")
        if not equals:
            raise RuntimeError(
                f'--input_exprs "{input_exprs_str}" format is incorrect. Please follow'
                '"<input_key>=<python expression>"'
            )
        values[key] = eval(expression, {"np": np, "numpy": np})
    return values


def preprocess_input_examples_arg_string(input_examples_str: str) -> dict[str, list[bytes]]:
    """Parses 'x=[{"age": [22], "name": ["Ann"]}]' to serialized tf.Examples.

    Raises:
      RuntimeError: for any other format.
      ValueError: if a value is not a list of dicts of lists of floats, ints or strings.
    """
    values = preprocess_input_exprs_arg_string(input_examples_str)
    for key, examples in values.items():
        if not isinstance(examples, list):
            raise ValueError(
                f'tf.Example input must be a list of dictionaries, but "{examples}" is {type(examples)}'
            )
        values[key] = [_example(features) for features in examples]
    return values


def _example(features: dict[str, list]) -> bytes:
    example = proto.Example()
    for name, values in features.items():
        if not isinstance(values, list):
            raise ValueError(
                f'feature value must be a list, but {name}: "{values}" is {type(values)}'
            )
        feature = example.features.feature[name]
        first = values[0]
        if isinstance(first, float):
            feature.float_list.value.extend(values)
        elif isinstance(first, str):
            feature.bytes_list.value.extend(
                value.encode() if isinstance(value, str) else value for value in values
            )
        elif isinstance(first, (int, np.integer)):
            feature.int64_list.value.extend(values)
        else:
            raise ValueError(
                f"Type {type(first)} for value {first} is not supported for tf.train.Feature."
            )
    return example.SerializeToString()


def load_inputs_from_input_arg_string(
    inputs_str: str, input_exprs_str: str, input_examples_str: str
) -> dict[str, Any]:
    """Returns the value of each input; expressions override files, and examples override both.

    Raises:
      RuntimeError: if a file contains several arrays and no name is specified, or the named array is missing.
      OpError: if a file cannot be read.
    """
    files = preprocess_inputs_arg_string(inputs_str)
    expressions = preprocess_input_exprs_arg_string(input_exprs_str)
    examples = preprocess_input_examples_arg_string(input_examples_str)
    values = {key: _array(path, name) for key, (path, name) in files.items()}
    for key in values.keys() & expressions.keys():
        warnings.warn(
            f"input_key {key} has been specified with both --inputs and --input_exprs options. "
            "Value in --input_exprs will be used.",
            stacklevel=2,
        )
    values |= expressions
    for key in values.keys() & examples.keys():
        warnings.warn(
            f"input_key {key} has been specified in multiple options. Value in --input_examples will be used.",
            stacklevel=2,
        )
    return values | examples


def _array(path: str, name: str | None) -> Any:
    data = np.load(BytesIO(read_bytes(os.fsencode(path))), allow_pickle=not is_safe())
    if name and isinstance(data, np.ndarray):
        warnings.warn(
            f'Input file {path} contains a single ndarray. Name key "{name}" ignored.',
            stacklevel=3,
        )
        return data
    if name:
        if name not in data:
            raise RuntimeError(f'Input file {path} does not contain variable with name "{name}".')
        return data[name]
    if isinstance(data, np.lib.npyio.NpzFile):
        if len(data.files) != 1:
            raise RuntimeError(
                f"Input file {path} contains more than one ndarrays. Please specify the name of ndarray to use."
            )
        return data[data.files[0]]
    return data
