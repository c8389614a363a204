"""The options of `tf.config`: what a session gets that is made without a ConfigProto."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from tfmini._src.base import proto

# Options of `optimizer.set_experimental_options`: those that are on or off, and those that are True or False.
_TOGGLES = (
    *("layout_optimizer", "constant_folding", "shape_optimization", "remapping"),
    *("arithmetic_optimization", "dependency_optimization", "loop_optimization"),
    *("function_optimization", "debug_stripper", "scoped_allocator_optimization"),
    *("pin_to_host_optimization", "implementation_selector", "auto_mixed_precision"),
)
_SWITCHES = ("disable_model_pruning", "disable_meta_optimizer")


class Rewrites:
    """The program's choice of mixed precision: the rewrite of products to float16, or a policy of Keras, not both.

    enabled: whether sessions get the rewrite; policy_is_set: whether Keras has a policy.
    came_too_late: whether there has been a session without it.
    """

    enabled = False
    policy_is_set = False
    came_too_late = False


REWRITES = Rewrites()

_config: list[proto.ConfigProto] = []  # the ConfigProto, made by the first call that sets an option
_held: list[bool] = []  # not empty after `hold`


def default_config() -> proto.ConfigProto | None:
    """The ConfigProto of a session that is made without one; None if no option has been set."""
    return _config[0] if _config else None


def is_mixed(config: proto.ConfigProto) -> bool:
    """Whether a config asks for the rewrite to float16."""
    toggle: int = config.graph_options.rewrite_options.auto_mixed_precision
    return toggle in (proto.RewriterConfig.ON, proto.RewriterConfig.AGGRESSIVE)


def with_rewrites(config: proto.ConfigProto | None) -> proto.ConfigProto | None:
    """The config of a session that is given `config`: with the rewrite to float16 if that is enabled."""
    given = 0 if config is None else config.graph_options.rewrite_options.auto_mixed_precision
    if REWRITES.enabled and given != proto.RewriterConfig.OFF:
        config = proto.ConfigProto() if config is None else copy.copy(config)
        config.graph_options.rewrite_options.auto_mixed_precision = proto.RewriterConfig.ON
    elif given != proto.RewriterConfig.ON:
        REWRITES.came_too_late = True
    return config


def forget() -> None:
    """Resets the options and rewrites, as in a process that has set none."""
    _config.clear()
    _held.clear()
    REWRITES.enabled = REWRITES.policy_is_set = REWRITES.came_too_late = False


def hold() -> None:
    """Ends the time in which threads and the log of placements can be set: eager mode has its devices."""
    _held[:] = [True]


def check_not_held(subject: str) -> None:
    """Raises RuntimeError once eager mode has its devices."""
    if _held:
        raise RuntimeError(f"{subject} cannot be modified after being initialized")


def _set_at_startup(option: str, value: int, refusal: str) -> None:
    """Sets an option that eager mode reads once; RuntimeError with `refusal` afterwards, if it would change."""
    if getattr(_current(), option) == value:
        return
    if _held:
        raise RuntimeError(refusal)
    setattr(changed(), option, value)


def changed() -> proto.ConfigProto:
    """The ConfigProto of later sessions, to be changed; earlier ones keep theirs."""
    config = proto.ConfigProto()
    if _config:
        config.CopyFrom(_config[0])
    _config[:] = [config]
    return config


def _current() -> proto.ConfigProto:
    return _config[0] if _config else proto.ConfigProto()


def get_soft_device_placement() -> bool:
    """Whether sessions made without a config move nodes that cannot run on the requested device."""
    return bool(_current().allow_soft_placement)


def set_soft_device_placement(enabled: bool) -> None:
    """Sets `allow_soft_placement` of sessions that are made without a config.

    Example:
      tf.config.set_soft_device_placement(True)
    """
    changed().allow_soft_placement = enabled


def get_intra_op_parallelism_threads() -> int:
    """The number of threads that a kernel may use; 0 leaves the choice to tfmini."""
    return int(_current().intra_op_parallelism_threads)


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Sets how many threads a kernel may use in sessions that are made without a config; 0 for tfmini's choice.

    Raises:
      RuntimeError: it would change after ops have run in eager mode.
    """
    _set_at_startup(
        "intra_op_parallelism_threads",
        num_threads,
        "Intra op parallelism cannot be modified after initialization.",
    )


def get_inter_op_parallelism_threads() -> int:
    """The number of operations that may run concurrently, as set; 0 if not set."""
    return int(_current().inter_op_parallelism_threads)


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Sets `inter_op_parallelism_threads` of sessions that are made without a config.

    Raises:
      RuntimeError: it would change after ops have run in eager mode.
    """
    _set_at_startup(
        "inter_op_parallelism_threads",
        num_threads,
        "Inter op parallelism cannot be modified after initialization.",
    )


def get_log_device_placement() -> bool:
    """Whether sessions made without a config log where their nodes run."""
    return bool(_current().log_device_placement)


def set_log_device_placement(enabled: bool) -> None:
    """Sets `log_device_placement` of sessions that are made without a config.

    Raises:
      RuntimeError: it would change after ops have run in eager mode.
    """
    _set_at_startup(
        "log_device_placement",
        enabled,
        "Device placement logging must be set at program startup",
    )


def get_jit() -> bool:
    """Whether `set_jit` has asked for XLA."""
    levels = proto.OptimizerOptions.GlobalJitLevel
    level = _current().graph_options.optimizer_options.global_jit_level
    return level in (levels.Value("ON_1"), levels.Value("ON_2"))


def set_jit(enabled: bool) -> None:
    """Sets `global_jit_level` of sessions that are made without a config. Results are the same either way."""
    levels = proto.OptimizerOptions.GlobalJitLevel
    level = levels.Value("ON_1" if enabled else "OFF")
    changed().graph_options.optimizer_options.global_jit_level = level


def get_experimental_options() -> dict[str, bool]:
    """The options for the rewriting of graphs that have been set, and those that are False without."""
    rewriting = _current().graph_options.rewrite_options
    values = {name: getattr(rewriting, name) for name in _TOGGLES}
    found: dict[str, Any] = {
        name: value == proto.RewriterConfig.ON for name, value in values.items() if value
    }
    found |= {name: getattr(rewriting, name) for name in _SWITCHES}
    if rewriting.min_graph_nodes:
        found["min_graph_nodes"] = rewriting.min_graph_nodes
    return found


def set_experimental_options(options: Mapping[str, bool]) -> None:
    """Sets options for the rewriting of graphs, in sessions that are made without a config.

    Args:
      options: a dict of `constant_folding`, `layout_optimizer`, `disable_meta_optimizer` ... to bools, and of
        `min_graph_nodes` to an int; other names are left aside, as in TensorFlow.
    """
    rewriting = changed().graph_options.rewrite_options
    on, off = proto.RewriterConfig.ON, proto.RewriterConfig.OFF
    for name, value in options.items():
        if value is None:
            continue
        if name in _TOGGLES:
            setattr(rewriting, name, on if value else off)
        elif name in _SWITCHES or name == "min_graph_nodes":
            setattr(rewriting, name, value)
