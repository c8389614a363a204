"""`tf.train.warm_start`: variables that begin with what an earlier model learned."""

from __future__ import annotations

from typing import Any

from tfmini import logs
from tfmini.graph.keys import GraphKeys
from tfmini.graph.scopes import get_collection
from tfmini.train.checkpoint_initializers import init_from_checkpoint
from tfmini.train.checkpoint_reader import checkpoint_of
from tfmini.train.object_checkpoints import keys_of_objects
from tfmini.train.saveables import by_name
from tfmini.variables.variable import Variable


def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: dict[str, Any] | None = None,
    var_name_to_prev_var_name: dict[str, str] | None = None,
) -> None:
    """Lets the initializers of variables read the checkpoint of an earlier model.

    Args:
      ckpt_to_initialize_from: the prefix of the checkpoint, or a folder, whose latest it is.
      vars_to_warm_start: a pattern for the names of trainable variables, a list of patterns for
        those of global ones, or a list of variables; None for no variable.
      var_name_to_vocab_info: must be empty: rows are not moved from one vocabulary to another.
      var_name_to_prev_var_name: the names that variables have in the checkpoint, where they differ.

    Raises:
      ValueError: if a name of `var_name_to_prev_var_name` is not used, or a variable is not in the
        checkpoint.

    Example: `tf.train.warm_start("/tmp/old", "encoder/.*")`.
    """
    logs.info("Warm-starting from: %s", ckpt_to_initialize_from)
    if var_name_to_vocab_info:
        raise ValueError(
            "var_name_to_vocab_info is not supported: tfmini has no LoadAndRemapMatrix. Restore the table whole and "
            "gather its rows in the order of the new vocabulary."
        )
    grouped = _grouped(vars_to_warm_start)
    earlier = var_name_to_prev_var_name or _keys(ckpt_to_initialize_from, set(grouped))
    chosen: dict[str, Any] = {}
    if vars_to_warm_start:
        for name, variables in grouped.items():
            logs.debug(
                "Warm-starting variable: %s; prev_var_name: %s",
                *(name, earlier.get(name) or "Unchanged"),
            )
            chosen[earlier.get(name) or name] = variables[0] if len(variables) == 1 else variables
    init_from_checkpoint(ckpt_to_initialize_from, chosen)
    logs.info("Warm-started %d variables.", len(chosen))
    unused = set(earlier) - set(grouped)
    if unused:
        raise ValueError(
            f"You provided the following variables in var_name_to_prev_var_name that were not used: {unused}.  "
            f"Perhaps you misspelled them?  Here is the list of viable variable names: {grouped.keys()}"
        )


def _grouped(chosen: Any) -> dict[str, list]:
    """The variables by their names in checkpoints, parts of one under the name of the whole."""
    if isinstance(chosen, str) or chosen is None:
        logs.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=chosen)
    elif not isinstance(chosen, list):
        raise ValueError(
            f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(chosen)}"
        )
    elif all(isinstance(each, str) for each in chosen):
        variables = [
            variable
            for pattern in chosen
            for variable in get_collection(GraphKeys.GLOBAL_VARIABLES, scope=pattern)
        ]
    elif all(isinstance(each, Variable) for each in chosen):
        variables = chosen
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  "
            f"Given types are {[type(each) for each in chosen]}"
        )
    grouped: dict[str, list] = {}
    for variable in variables:
        (name,) = by_name([variable])
        grouped.setdefault(name, []).append(variable)
    return grouped


def _keys(folder_or_prefix: str, names: set[str]) -> dict[str, str]:
    """What the variables are called in a checkpoint of `tf.train.Checkpoint`; nothing for that of a Saver."""
    keys = keys_of_objects(str(checkpoint_of(folder_or_prefix)))
    if keys is None:
        return {}
    missing = names - set(keys)
    if missing:
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain "
            f"values for all variables. The following variables were missing: {missing}"
        )
    return {name: keys[name] for name in names}
