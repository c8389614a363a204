"""`tf.config` options: the default config of sessions created without a ConfigProto."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from tfmini._src.base import proto

# Options of `optimizer.set_experimental_options`: toggles (ON or OFF) and booleans.
_REWRITER_OPTIONS = (
    *("layout_optimizer", "constant_folding", "shape_optimization", "remapping"),
    *("arithmetic_optimization", "dependency_optimization", "loop_optimization"),
    *("function_optimization", "debug_stripper", "scoped_allocator_optimization"),
    *("pin_to_host_optimization", "implementation_selector", "auto_mixed_precision"),
)
_SWITCHES = ("disable_model_pruning", "disable_meta_optimizer")


class Rewrites:
    """The program's mixed-precision mode: the float16 graph rewrite or a Keras policy, never both.

    enabled: whether sessions apply the rewrite; policy_is_set: whether a Keras policy is set.
    is_too_late: whether a session was created without the rewrite.
    """

    enabled = False
    policy_is_set = False
    is_too_late = False


REWRITES = Rewrites()

_config: list[proto.ConfigProto] = []  # the ConfigProto, created when the first option is set
_frozen: list[bool] = []  # not empty after `freeze`


def default_config() -> proto.ConfigProto | None:
    """Returns the config of sessions created without one; None if no option is set."""
    return _config[0] if _config else None


def is_mixed(config: proto.ConfigProto) -> bool:
    """Whether a config enables the float16 rewrite."""
    toggle: int = config.graph_options.rewrite_options.auto_mixed_precision
    return toggle in (proto.RewriterConfig.ON, proto.RewriterConfig.AGGRESSIVE)


def session_config(config: object) -> proto.ConfigProto | None:
    """Returns a new session's config: `config`, by default from `tf.config`, with the float16 rewrite if enabled.

    Raises:
      TypeError: if `config` is neither a ConfigProto nor None.
    """
    if config is None:
        config = default_config()
    elif not isinstance(config, proto.ConfigProto):
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    return _enable_rewrites(config)


def _enable_rewrites(config: proto.ConfigProto | None) -> proto.ConfigProto | None:
    """Returns `config` with the float16 rewrite turned on if enabled, unless `config` turns it off."""
    if config is None:
        if not REWRITES.enabled:
            REWRITES.is_too_late = True
            return None
        config = proto.ConfigProto()
    option = config.graph_options.rewrite_options.auto_mixed_precision
    if REWRITES.enabled and option != proto.RewriterConfig.OFF:
        config = copy.copy(config)
        config.graph_options.rewrite_options.auto_mixed_precision = proto.RewriterConfig.ON
    elif option != proto.RewriterConfig.ON:
        REWRITES.is_too_late = True
    return config


def forget() -> None:
    """Resets all options and rewrites to the defaults of a new process."""
    _config.clear()
    _frozen.clear()
    REWRITES.enabled = REWRITES.policy_is_set = REWRITES.is_too_late = False


def freeze() -> None:
    """Freezes the thread counts and placement logging; called once eager mode has initialized its devices."""
    _frozen[:] = [True]


def check_not_frozen(subject: str) -> None:
    """Raises RuntimeError once eager mode has initialized its devices."""
    if _frozen:
        raise RuntimeError(f"{subject} cannot be modified after being initialized")


def _set_at_startup(option: str, value: int, error_text: str) -> None:
    """Sets an option that eager mode reads only once; changing it later raises RuntimeError with `error_text`."""
    if getattr(_current_config(), option) == value:
        return
    if _frozen:
        raise RuntimeError(error_text)
    setattr(new_default_config(), option, value)


def new_default_config() -> proto.ConfigProto:
    """Returns a fresh, mutable ConfigProto for later sessions; existing sessions keep theirs."""
    config = proto.ConfigProto()
    if _config:
        config.CopyFrom(_config[0])
    _config[:] = [config]
    return config


def _current_config() -> proto.ConfigProto:
    return _config[0] if _config else proto.ConfigProto()


def get_soft_device_placement() -> bool:
    """Whether sessions created without a config move nodes that cannot run on the requested device."""
    return bool(_current_config().allow_soft_placement)


def set_soft_device_placement(enabled: bool) -> None:
    """Sets `allow_soft_placement` for sessions created without a config.

    Example:
      tf.config.set_soft_device_placement(True)
    """
    new_default_config().allow_soft_placement = enabled


def get_intra_op_parallelism_threads() -> int:
    """Returns the maximum number of threads per kernel; 0 means that tfmini chooses."""
    return int(_current_config().intra_op_parallelism_threads)


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Sets the maximum number of threads per kernel in sessions created without a config; 0 lets tfmini choose.

    Raises:
      RuntimeError: if the value changes after ops have run in eager mode.
    """
    _set_at_startup(
        "intra_op_parallelism_threads",
        num_threads,
        "Intra op parallelism cannot be modified after initialization.",
    )


def get_inter_op_parallelism_threads() -> int:
    """Returns the configured number of concurrent operations; 0 if not set."""
    return int(_current_config().inter_op_parallelism_threads)


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Sets `inter_op_parallelism_threads` for sessions created without a config.

    Raises:
      RuntimeError: if the value changes after ops have run in eager mode.
    """
    _set_at_startup(
        "inter_op_parallelism_threads",
        num_threads,
        "Inter op parallelism cannot be modified after initialization.",
    )


def get_log_device_placement() -> bool:
    """Whether sessions created without a config log node placement."""
    return bool(_current_config().log_device_placement)


def set_log_device_placement(enabled: bool) -> None:
    """Sets `log_device_placement` for sessions created without a config.

    Raises:
      RuntimeError: if the value changes after ops have run in eager mode.
    """
    _set_at_startup(
        "log_device_placement",
        enabled,
        "Device placement logging must be set at program startup",
    )


def get_jit() -> bool:
    """Whether XLA is enabled through `set_jit`."""
    levels = proto.OptimizerOptions.GlobalJitLevel
    level = _current_config().graph_options.optimizer_options.global_jit_level
    return level in (levels.Value("ON_1"), levels.Value("ON_2"))


def set_jit(enabled: bool) -> None:
    """Sets `global_jit_level` for sessions created without a config; results do not depend on it."""
    levels = proto.OptimizerOptions.GlobalJitLevel
    level = levels.Value("ON_1" if enabled else "OFF")
    new_default_config().graph_options.optimizer_options.global_jit_level = level


def get_experimental_options() -> dict[str, bool]:
    """Returns the graph-rewriting options that are set, plus all boolean ones, which default to False."""
    rewriting = _current_config().graph_options.rewrite_options
    values = {name: getattr(rewriting, name) for name in _REWRITER_OPTIONS}
    options: dict[str, Any] = {
        name: value == proto.RewriterConfig.ON for name, value in values.items() if value
    }
    options |= {name: getattr(rewriting, name) for name in _SWITCHES}
    if rewriting.min_graph_nodes:
        options["min_graph_nodes"] = rewriting.min_graph_nodes
    return options


def set_experimental_options(options: Mapping[str, bool]) -> None:
    """Sets graph-rewriting options for sessions created without a config.

    Args:
      options: a dict from `constant_folding`, `layout_optimizer`, `disable_meta_optimizer` ... to bools, and from
        `min_graph_nodes` to an int; unknown names are ignored, as in TensorFlow.
    """
    rewriting = new_default_config().graph_options.rewrite_options
    on, off = proto.RewriterConfig.ON, proto.RewriterConfig.OFF
    for name, value in options.items():
        if value is None:
            continue
        if name in _REWRITER_OPTIONS:
            setattr(rewriting, name, on if value else off)
        elif name in _SWITCHES or name == "min_graph_nodes":
            setattr(rewriting, name, value)
