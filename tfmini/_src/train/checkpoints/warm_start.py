"""`tf.train.warm_start`: initializes variables from an earlier model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_reader import resolve_checkpoint
from tfmini._src.train.checkpoints.init_from_checkpoint import init_from_checkpoint
from tfmini._src.train.checkpoints.load_and_remap_matrix import load_and_remap_matrix_initializer
from tfmini._src.train.checkpoints.object_checkpoints import object_keys
from tfmini._src.train.checkpoints.saveables import by_name
from tfmini._src.variables.save_slice_info import PartitionInfo
from tfmini._src.variables.variable import Variable


class _Fields(NamedTuple):
    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int
    backup_initializer: Any
    axis: int


class VocabInfo(_Fields):
    """Vocabularies of the rows or columns of a variable: the new vocabulary and the checkpoint's.

    Args:
      new_vocab: path of the new vocabulary file, one word per line.
      new_vocab_size: number of words in it that the variable uses.
      num_oov_buckets: number of additional rows or columns for out-of-vocabulary words.
      old_vocab: path of the checkpoint's vocabulary file.
      old_vocab_size: number of words in it that the checkpoint uses; -1 for all.
      backup_initializer: initializer of entries missing from the checkpoint, by default zeros.
      axis: the axis indexed by words, 0 or 1.

    Raises:
      ValueError: for an unsupported axis.
    """

    def __new__(
        cls,
        new_vocab: str,
        new_vocab_size: int,
        num_oov_buckets: int,
        old_vocab: str,
        old_vocab_size: int = -1,
        backup_initializer: Any = None,
        axis: int = 0,
    ) -> VocabInfo:
        if axis not in (0, 1):
            raise ValueError(
                f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}"
            )
        return super().__new__(
            cls,
            new_vocab,
            new_vocab_size,
            num_oov_buckets,
            old_vocab,
            old_vocab_size,
            backup_initializer,
            axis,
        )


def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: str | Sequence[Any] = ".*",
    var_name_to_vocab_info: dict[str, Any] | None = None,
    var_name_to_prev_var_name: dict[str, str] | None = None,
) -> None:
    """Replaces variable initializers by reads from the checkpoint of an earlier model.

    Args:
      ckpt_to_initialize_from: the checkpoint prefix, or a directory for its latest checkpoint.
      vars_to_warm_start: a regular expression for names of trainable variables, a list of regular expressions for names
        of global variables, or a list of variables; None for no variables.
      var_name_to_vocab_info: VocabInfo by variable name, for variables indexed by words.
      var_name_to_prev_var_name: checkpoint names by variable name, if they differ.

    Raises:
      ValueError: if a key of the two dicts is unused, or the checkpoint lacks a variable.

    Example:
      words = tf.train.VocabInfo("new.txt", 1000, 1, "old.txt")
      tf.train.warm_start("/tmp/old", "encoder/.*", {"encoder/embeddings": words})
    """
    logs.info("Warm-starting from: %s", ckpt_to_initialize_from)
    grouped = _group(vars_to_warm_start)
    previous_names = var_name_to_prev_var_name or _keys(ckpt_to_initialize_from, set(grouped))
    vocabularies = var_name_to_vocab_info or {}
    assignments: dict[str, Any] = {}
    for name, variables in grouped.items():
        words = vocabularies.get(name)
        if words is not None:
            _log_words(name, words, previous_names.get(name))
            _remap(variables, ckpt_to_initialize_from, previous_names.get(name) or name, words)
        elif vars_to_warm_start:
            logs.debug(
                "Warm-starting variable: %s; prev_var_name: %s",
                *(name, previous_names.get(name) or "Unchanged"),
            )
            assignments[previous_names.get(name) or name] = (
                variables[0] if len(variables) == 1 else variables
            )
    init_from_checkpoint(ckpt_to_initialize_from, assignments)
    remapped = [name for name in grouped if name in vocabularies]
    logs.info("Warm-started %d variables.", len(assignments) + len(remapped))
    for argument, value in (
        ("var_name_to_prev_var_name", previous_names),
        ("var_name_to_vocab_info", vocabularies),
    ):
        unused = set(value) - set(grouped)
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {unused}. "
                f" Perhaps you misspelled them?  Here is the list of viable variable names: {grouped.keys()}"
            )


def _log_words(name: str, words: VocabInfo, previous_name: str | None) -> None:
    logs.debug(
        "Warm-starting variable: %s; current_vocab: %s current_vocab_size: %s prev_vocab: %s prev_vocab_size: %s "
        "current_oov: %s prev_tensor: %s initializer: %s",
        *(name, words.new_vocab, words.new_vocab_size, words.old_vocab),
        words.old_vocab_size if words.old_vocab_size > 0 else "All",
        *(words.num_oov_buckets, previous_name or "Unchanged"),
        words.backup_initializer or "zero-initialized",
    )


def _remap(variables: list[Any], directory_or_prefix: str, tensor: str, words: VocabInfo) -> None:
    """Initializes all partitions of a variable from a tensor in the order of the new vocabulary."""
    if not (words.new_vocab and words.new_vocab_size and directory_or_prefix and words.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    shapes = [variable.get_shape().as_list() for variable in variables]
    for variable, shape in zip(variables, shapes):
        if words.axis == 0:
            arguments: dict[str, Any] = {
                "new_row_vocab_size": words.new_vocab_size,
                "new_col_vocab_size": shape[1],
                "old_row_vocab_size": words.old_vocab_size,
                "old_row_vocab_file": words.old_vocab,
                "new_row_vocab_file": words.new_vocab,
                "num_row_oov_buckets": words.num_oov_buckets,
            }
        else:
            arguments = {
                "new_row_vocab_size": sum(rows for rows, *_ in shapes),
                "new_col_vocab_size": words.new_vocab_size,
                "old_col_vocab_file": words.old_vocab,
                "new_col_vocab_file": words.new_vocab,
                "num_col_oov_buckets": words.num_oov_buckets,
            }
        initialize = load_and_remap_matrix_initializer(
            str(resolve_checkpoint(directory_or_prefix)),
            tensor,
            initializer=words.backup_initializer,
            **arguments,
        )
        part = variable._get_save_slice_info()
        partition = None if part is None else PartitionInfo(part.full_shape, part.var_offset)
        value = convert_to_tensor(initialize(shape, partition_info=partition))
        variable._initializer_op = ops.assign(variable, value)


def _group(selection: Any) -> dict[str, list]:
    """Returns the variables by checkpoint name; partitions are grouped under the full name."""
    if isinstance(selection, str) or selection is None:
        logs.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=selection)
    elif not isinstance(selection, list):
        raise ValueError(
            f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(selection)}"
        )
    elif all(isinstance(element, str) for element in selection):
        variables = [
            variable
            for pattern in selection
            for variable in get_collection(GraphKeys.GLOBAL_VARIABLES, scope=pattern)
        ]
    elif all(isinstance(element, Variable) for element in selection):
        variables = selection
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  "
            f"Given types are {[type(element) for element in selection]}"
        )
    grouped: dict[str, list] = {}
    for variable in variables:
        (name,) = by_name([variable])
        grouped.setdefault(name, []).append(variable)
    return grouped


def _keys(directory_or_prefix: str, names: set[str]) -> dict[str, str]:
    """Returns the keys in a `tf.train.Checkpoint` checkpoint by variable name; empty for a Saver's checkpoint."""
    keys = object_keys(resolve_checkpoint(directory_or_prefix))
    if keys is None:
        return {}
    missing = names - set(keys)
    if missing:
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain "
            f"values for all variables. The following variables were missing: {missing}"
        )
    return {name: keys[name] for name in names}
