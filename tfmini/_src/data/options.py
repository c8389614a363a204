"""`Options` of datasets, which iterators read, and their groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.data.stats_aggregator import StatsAggregator


class OptionsBase:
    """Options with declared names; rejects undeclared names and values of the wrong type."""

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


def _option(name: str, kind: Any, text: str, default: Callable[[], Any] = lambda: None) -> Any:
    def get(options: Any) -> Any:
        if name not in options._options:
            options._options[name] = default()
        return options._options[name]

    def set_to(options: Any, value: Any) -> None:
        if not isinstance(value, kind):
            raise TypeError(
                f'Property "{name}" must be of type {kind}, got: {value!r} (type: {type(value)!r})'
            )
        options._options[name] = value

    return property(get, set_to, None, text)


def merged(first: Any, second: Any) -> Any:
    """Options merged from both."""
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
                setattr(result, name, merged(this, that))
            elif this != that:
                raise ValueError(
                    f"Cannot merge incompatible values ({this!r} and {that!r}) of option: {name}"
                )
    return result


class MapVectorizationOptions(OptionsBase):
    """Options for map vectorization."""

    enabled = _option("enabled", bool, "Whether maps are vectorized; None: they are not.")
    use_choose_fastest = _option(
        "use_choose_fastest", bool, "Whether the faster form is chosen while it runs."
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
_BY_DEFAULT = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")


class OptimizationOptions(OptionsBase):
    """The requested rewrites of a dataset. They are recorded in the graph, and change the order of
    elements as TensorFlow does.
    """

    apply_default_optimizations = _option(
        "apply_default_optimizations", bool, "False: only the requested rewrites."
    )
    autotune = _option("autotune", bool, "Whether sizes are tuned; None: they are.")
    autotune_algorithm = _option("autotune_algorithm", int, "How they are tuned.")
    autotune_buffers = _option("autotune_buffers", bool, "Whether buffer sizes are tuned, too.")
    autotune_cpu_budget = _option("autotune_cpu_budget", int, "How many processors there are.")
    filter_fusion = _option("filter_fusion", bool, "Whether filters in a row become one.")
    filter_with_random_uniform_fusion = _option(
        "filter_with_random_uniform_fusion", bool, "Whether random filters become samples."
    )
    hoist_random_uniform = _option(
        "hoist_random_uniform", bool, "Whether random numbers are drawn outside of maps."
    )
    map_and_batch_fusion = _option(
        "map_and_batch_fusion", bool, "Whether map and batch become one; None: they do."
    )
    map_and_filter_fusion = _option(
        "map_and_filter_fusion", bool, "Whether map and filter become one."
    )
    map_fusion = _option("map_fusion", bool, "Whether maps in a row become one.")
    map_parallelization = _option(
        "map_parallelization", bool, "Whether maps without state become parallel."
    )
    map_vectorization = _option(
        "map_vectorization", MapVectorizationOptions, "Vectorized maps.", MapVectorizationOptions
    )
    noop_elimination = _option(
        "noop_elimination", bool, "Whether what does nothing is left out; None: it is."
    )
    parallel_batch = _option("parallel_batch", bool, "Whether batches are copied in parallel.")
    shuffle_and_repeat_fusion = _option(
        "shuffle_and_repeat_fusion",
        bool,
        "Whether shuffle and repeat become one, with one buffer for all epochs; None: they do.",
    )

    def _static_optimizations(self) -> list[str]:
        result = {name for name in _REWRITES if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            result.update(name for name in _BY_DEFAULT if getattr(self, name) is not False)
        result.update(self.map_vectorization._static_optimizations())
        if self.autotune is not False and self.autotune_buffers:
            result.add("inject_prefetch")
        return sorted(result)

    def _static_optimization_configs(self) -> list[str]:
        return self.map_vectorization._static_optimization_configs()


class ThreadingOptions(OptionsBase):
    """Options of the threads that work for a dataset."""

    max_intra_op_parallelism = _option(
        "max_intra_op_parallelism", int, "How many threads one op has."
    )
    private_threadpool_size = _option(
        "private_threadpool_size", int, "How many threads the dataset has for itself."
    )


class DistributeOptions(OptionsBase):
    """Options for datasets distributed over several machines."""

    auto_shard = _option("auto_shard", bool, "Whether each machine reads a part.", lambda: True)
    _make_stateless = _option("_make_stateless", bool, "Whether nodes with state are replaced.")
    num_devices = _option("num_devices", int, "The number of devices that read the dataset.")


class StatsOptions(OptionsBase):
    """Options for collecting statistics on a dataset."""

    aggregator = _option(
        "aggregator",
        StatsAggregator,
        "A `tf.data.experimental.StatsAggregator` that takes the measurements.",
    )
    prefix = _option("prefix", str, "Prefix of the names of measurements.", lambda: "")
    counter_prefix = _option("counter_prefix", str, "Prefix of the names of counters.", lambda: "")
    latency_all_edges = _option("latency_all_edges", bool, "Whether each transformation is timed.")


class Options(OptionsBase):
    """Options of a dataset, set by `dataset.with_options(options)`.

    Example:
      options = tf.data.Options()
      options.experimental_threading.private_threadpool_size = 4
      dataset = dataset.with_options(options)
    """

    experimental_deterministic = _option(
        "experimental_deterministic", bool, "Whether order is kept; None: it is."
    )
    experimental_distribute = _option(
        "experimental_distribute",
        DistributeOptions,
        "What holds for several readers, a DistributeOptions.",
        DistributeOptions,
    )
    experimental_optimization = _option(
        "experimental_optimization",
        OptimizationOptions,
        "Which rewrites are asked for, an OptimizationOptions.",
        OptimizationOptions,
    )
    experimental_slack = _option(
        "experimental_slack", bool, "Whether the last prefetch starts later than it could."
    )
    experimental_stats = _option(
        "experimental_stats", StatsOptions, "What is measured, a StatsOptions.", StatsOptions
    )
    experimental_threading = _option(
        "experimental_threading",
        ThreadingOptions,
        "How many threads work for it, a ThreadingOptions.",
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
            devices = self.experimental_distribute.num_devices or 1
            result.append(f"slack:slack_period:{devices}")
        return result

    def merge(self, options: Options) -> Options:
        """Options merged from both.

        Raises:
          ValueError: if they have different values of the same option.
        """
        return merged(self, options)
