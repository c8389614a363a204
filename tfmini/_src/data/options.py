"""`tf.data.Options` and its groups of options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.data.stats_aggregator import StatsAggregator


class OptionsBase:
    """Options with declared names, which rejects undeclared names and values of the wrong type."""

    _options: dict[str, Any]

    def __init__(self) -> None:
        object.__setattr__(self, "_options", {})

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, self.__class__):
            return NotImplemented
        names = {*self._options, *other._options}
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(self, name):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)


def _option(
    name: str, value_type: Any, text: str, default: Callable[[], Any] = lambda: None
) -> Any:
    def get(options: Any) -> Any:
        if name not in options._options:
            options._options[name] = default()
        return options._options[name]

    def set_to(options: Any, value: Any) -> None:
        if not isinstance(value, value_type):
            raise TypeError(
                f'Property "{name}" must be of type {value_type}, got: {value!r} (type: {type(value)!r})'
            )
        options._options[name] = value

    return property(get, set_to, None, text)


def merge_options(first: Any, second: Any) -> Any:
    """Merges two option objects."""
    options_class = type(first)
    if not isinstance(second, options_class):
        raise TypeError(f"Incompatible options type: {type(second)!r} vs {type(first)!r}")
    result, plain = options_class(), options_class()
    for options in (first, second):
        for name in options._options:
            this, that = getattr(result, name), getattr(options, name)
            default = getattr(plain, name)
            if that == default:
                continue
            if this == default:
                setattr(result, name, that)
            elif isinstance(this, OptionsBase):
                setattr(result, name, merge_options(this, that))
            elif this != that:
                raise ValueError(
                    f"Cannot merge incompatible values ({this!r} and {that!r}) of option: {name}"
                )
    return result


class MapVectorizationOptions(OptionsBase):
    """Options for map vectorization."""

    enabled = _option("enabled", bool, "Whether to vectorize maps; None for no.")
    use_choose_fastest = _option(
        "use_choose_fastest", bool, "Whether to choose the faster form at run time."
    )

    def _static_optimizations(self) -> list[str]:
        return ["map_vectorization"] if self.enabled else []

    def _static_optimization_configs(self) -> list[str]:
        return [
            f"map_vectorization:use_choose_fastest:{str(bool(self.use_choose_fastest)).lower()}"
        ]


_REWRITES = (
    *("filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform"),
    *("map_and_batch_fusion", "map_and_filter_fusion", "map_parallelization", "map_fusion"),
    *("noop_elimination", "parallel_batch", "shuffle_and_repeat_fusion"),
)
_DEFAULT_OPTIMIZATIONS = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")


class OptimizationOptions(OptionsBase):
    """Graph rewrites of a dataset, which are recorded in the graph and affect the element order as in TensorFlow."""

    apply_default_optimizations = _option(
        "apply_default_optimizations", bool, "Whether to apply the default rewrites; None for yes."
    )
    autotune = _option("autotune", bool, "Whether to tune parallelism; None for yes.")
    autotune_algorithm = _option("autotune_algorithm", int, "Tuning algorithm.")
    autotune_buffers = _option("autotune_buffers", bool, "Whether to tune buffer sizes too.")
    autotune_cpu_budget = _option("autotune_cpu_budget", int, "Number of available processors.")
    filter_fusion = _option("filter_fusion", bool, "Whether to fuse consecutive filters.")
    filter_with_random_uniform_fusion = _option(
        "filter_with_random_uniform_fusion", bool, "Whether to replace random filters by sampling."
    )
    hoist_random_uniform = _option(
        "hoist_random_uniform", bool, "Whether to draw random numbers outside maps."
    )
    map_and_batch_fusion = _option(
        "map_and_batch_fusion", bool, "Whether to fuse map and batch; None for yes."
    )
    map_and_filter_fusion = _option(
        "map_and_filter_fusion", bool, "Whether to fuse map and filter."
    )
    map_fusion = _option("map_fusion", bool, "Whether to fuse consecutive maps.")
    map_parallelization = _option(
        "map_parallelization", bool, "Whether to parallelize stateless maps."
    )
    map_vectorization = _option(
        "map_vectorization",
        MapVectorizationOptions,
        "Map vectorization, a MapVectorizationOptions.",
        MapVectorizationOptions,
    )
    noop_elimination = _option(
        "noop_elimination", bool, "Whether to remove no-op transformations; None for yes."
    )
    parallel_batch = _option("parallel_batch", bool, "Whether to copy batches in parallel.")
    shuffle_and_repeat_fusion = _option(
        "shuffle_and_repeat_fusion",
        bool,
        "Whether to fuse shuffle and repeat, with one buffer for all epochs; None for yes.",
    )

    def _static_optimizations(self) -> list[str]:
        result = {name for name in _REWRITES if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            result.update(
                name for name in _DEFAULT_OPTIMIZATIONS if getattr(self, name) is not False
            )
        result.update(self.map_vectorization._static_optimizations())
        if self.autotune is not False and self.autotune_buffers:
            result.add("inject_prefetch")
        return sorted(result)

    def _static_optimization_configs(self) -> list[str]:
        return self.map_vectorization._static_optimization_configs()


class ThreadingOptions(OptionsBase):
    """Threading options of a dataset."""

    max_intra_op_parallelism = _option(
        "max_intra_op_parallelism", int, "Maximum number of threads per op."
    )
    private_threadpool_size = _option(
        "private_threadpool_size", int, "Number of threads in the dataset's private pool."
    )


class DistributeOptions(OptionsBase):
    """Options for distributed datasets."""

    auto_shard = _option(
        "auto_shard", bool, "Whether each machine reads its own shard.", lambda: True
    )
    _make_stateless = _option("_make_stateless", bool, "Whether to replace stateful nodes.")
    num_devices = _option("num_devices", int, "The number of devices that read the dataset.")


class StatsOptions(OptionsBase):
    """Options for the collection of statistics."""

    aggregator = _option(
        "aggregator",
        StatsAggregator,
        "The `tf.data.experimental.StatsAggregator` that collects the statistics.",
    )
    prefix = _option("prefix", str, "Prefix of statistic names.", lambda: "")
    counter_prefix = _option("counter_prefix", str, "Prefix of counter names.", lambda: "")
    latency_all_edges = _option(
        "latency_all_edges", bool, "Whether to record the latency of each transformation."
    )


class Options(OptionsBase):
    """Options of a dataset, set by `dataset.with_options(options)`.

    Example:
      options = tf.data.Options()
      options.experimental_threading.private_threadpool_size = 4
      dataset = dataset.with_options(options)
    """

    experimental_deterministic = _option(
        "experimental_deterministic", bool, "Whether to preserve order; None for yes."
    )
    experimental_distribute = _option(
        "experimental_distribute",
        DistributeOptions,
        "Distribution, a DistributeOptions.",
        DistributeOptions,
    )
    experimental_optimization = _option(
        "experimental_optimization",
        OptimizationOptions,
        "Graph rewrites, an OptimizationOptions.",
        OptimizationOptions,
    )
    experimental_slack = _option("experimental_slack", bool, "Whether to delay the last prefetch.")
    experimental_stats = _option(
        "experimental_stats", StatsOptions, "Statistics to collect, a StatsOptions.", StatsOptions
    )
    experimental_threading = _option(
        "experimental_threading",
        ThreadingOptions,
        "Threading, a ThreadingOptions.",
        ThreadingOptions,
    )
    experimental_stateful_whitelist = _option(
        "experimental_stateful_whitelist", list, "Ops whose state need not be saved."
    )

    def _static_optimizations(self) -> list[str]:
        result = list(self.experimental_optimization._static_optimizations())
        if self.experimental_deterministic is False:
            result.append("make_sloppy")
        if self.experimental_stats.latency_all_edges:
            result.append("latency_all_edges")
        if self.experimental_slack:
            result.append("slack")
        if self.experimental_distribute._make_stateless:
            result.append("make_stateless")
        return result

    def _static_optimization_configs(self) -> list[str]:
        result = list(self.experimental_optimization._static_optimization_configs())
        if self.experimental_slack:
            devices = self.experimental_distribute.num_devices
            devices = 1 if devices is None else devices
            result.append(f"slack:slack_period:{devices}")
        return result

    def merge(self, options: Options) -> Options:
        """Returns the options merged with other options.

        Raises:
          ValueError: if an option is set to different values.
        """
        return merge_options(self, options)
