"""TPUEstimator: an Estimator that passes the batch size to its functions, on CPUs and GPUs only."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs, proto
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_arguments import check_model_fn
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.fn_args import accepted_arguments, parameter_names
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.estimator.tpu.tpu_config import (
    ExportSavedModelApiVersion,
    TPURunConfig,
    steps_per_loop,
)
from tfmini._src.models.estimator.tpu.tpu_estimator_spec import TPUEstimatorSpec
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.summary_hooks import StepCounterHook
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.models.estimator.warm_start_settings import WarmStartSettings


_RESERVED_KEYS = ["batch_size", "context"]


class TPUEstimator(Estimator):
    """An Estimator that passes `params["batch_size"]` to its functions, as expected by TPU scripts.

    Args:
      model_fn: model function as in Estimator; must accept `params`, and may return a TPUEstimatorSpec.
      model_dir: directory of checkpoints and event files.
      config: a `tf.estimator.tpu.RunConfig`.
      params: dict passed to input and model functions, to which "batch_size" and, for model functions,
        "use_tpu" are added.
      use_tpu: must be False.
      train_batch_size, eval_batch_size, predict_batch_size: batch sizes per mode.
      batch_axis, eval_on_tpu, export_to_tpu, embedding_config_spec: used by TPUs only.
      export_to_cpu: whether exports include the CPU graph; must be true.
      warm_start_from: a checkpoint or SavedModel to initialize variables from, or a `WarmStartSettings`.
      export_saved_model_api_version: used by TPUs only.

    Raises:
      UnimplementedError: if `use_tpu` is True.
      ValueError: if the config has another type, or `params` has reserved keys.

    Example:
      config = tf.contrib.tpu.RunConfig(model_dir="/tmp/model", tpu_config=tf.contrib.tpu.TPUConfig(100))
      estimator = tf.contrib.tpu.TPUEstimator(model_fn, config=config, use_tpu=False, train_batch_size=32)
    """

    def __init__(
        self,
        model_fn: Any = None,
        model_dir: str | None = None,
        config: TPURunConfig | None = None,
        params: Any = None,
        use_tpu: bool = True,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
        batch_axis: Sequence[int] | None = None,
        eval_on_tpu: bool = True,
        export_to_tpu: bool = True,
        export_to_cpu: bool = True,
        warm_start_from: str | WarmStartSettings | None = None,
        embedding_config_spec: object = None,
        export_saved_model_api_version: object = ExportSavedModelApiVersion.V1,
    ):
        if not isinstance(config, TPURunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED_KEYS):
            raise ValueError(f"{_RESERVED_KEYS} are reserved keys but existed in params {params}.")
        if use_tpu or embedding_config_spec is not None:
            raise UnimplementedError(
                None,
                None,
                "tfmini does not support TPUs: pass use_tpu=False to run on CPUs and GPUs",
            )
        if not export_to_cpu:
            raise UnimplementedError(
                None, None, "tfmini does not export TPU graphs: pass export_to_cpu=True"
            )
        check_model_fn(model_fn, params)
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size,
            ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }
        self._log_every: dict[str, Any] = _log_intervals(config)
        self._is_input_called = False
        super().__init__(
            model_fn=self._pass_batch_size(model_fn),
            model_dir=model_dir,
            config=config.replace(log_step_count_steps=None),
            params=params or {},
            warm_start_from=warm_start_from,
        )
        logs.info("_TPUContext: eval_on_tpu %s", eval_on_tpu)
        if eval_on_tpu:
            logs.warning("eval_on_tpu ignored because use_tpu is False.")

    @arguments_of(Estimator.train)
    def train(self, **arguments: Any) -> Estimator:
        """Trains the model, as in Estimator."""
        with _logging_loop("training_loop"):
            return super().train(**arguments)

    @arguments_of(Estimator.evaluate)
    def evaluate(self, **arguments: Any) -> dict[str, Any]:
        """Evaluates a checkpoint, as in Estimator."""
        with _logging_loop("evaluation_loop"):
            return super().evaluate(**arguments)

    @arguments_of(Estimator.predict)
    def predict(self, **arguments: Any) -> Iterator[Any]:
        """Yields predictions, as in Estimator."""
        with _logging_loop("prediction_loop"):
            yield from super().predict(**arguments)
        logs.info("prediction_loop marked as finished")

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        if get_global_step(graph) is not None:
            raise ValueError('"global_step" already exists.')
        with graph.as_default(), graph.name_scope(None):
            return get_variable(
                GraphKeys.GLOBAL_STEP,
                shape=[],
                dtype=dtypes.int64,
                initializer=Zeros(),
                trainable=False,
                use_resource=True,
                collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
            )

    def _call_input_fn(self, input_fn: Callable, mode: str, input_context: Any = None) -> Any:
        _check_params("input_fn", input_fn, '"batch_size"')
        params = self.params
        self._is_input_called = True
        if self._batch_sizes[mode] is not None:
            _set_parameter(params, "batch_size", self._batch_sizes[mode])
        arguments = {"params": params, "mode": mode, "config": self.config}
        with device("/device:CPU:0"):
            return input_fn(**accepted_arguments(input_fn, arguments))

    def _pass_batch_size(self, model_fn: Callable) -> Callable:
        """Wraps the model function to pass the batch size."""

        def model(features: Any, labels: Any, mode: str, config: Any, params: Any) -> EstimatorSpec:
            is_export, self._is_input_called = not self._is_input_called, False
            _set_parameter(params, "use_tpu", False)
            params = copy.deepcopy(params)
            size = None if is_export else self._batch_sizes[mode]
            if size is not None:
                _set_parameter(params, "batch_size", size)
            logs.info("Running %s on CPU", mode)
            parameters = parameter_names(model_fn)
            if labels is not None and "labels" not in parameters:
                raise ValueError("model_fn does not take labels, but input_fn returns labels.")
            _check_params("model_fn", model_fn, "'batch_size'")
            arguments = {"labels": labels, "mode": mode, "config": config, "params": params}
            spec = model_fn(features=features, **accepted_arguments(model_fn, arguments))
            if isinstance(spec, TPUEstimatorSpec):
                spec = spec.as_estimator_spec()
            if not self._log_every:
                return spec
            directory = self.model_dir if config.save_summary_steps else None
            hook = _ExamplesPerSecond(size, output_dir=directory, **self._log_every)
            return spec._replace(training_hooks=(*spec.training_hooks, hook))

        return model


@contextmanager
def _logging_loop(loop: str) -> Iterator[None]:
    """Context manager that logs the end of a loop and any error raised in it."""
    failed = False
    try:
        yield
    except Exception as error:
        failed = True
        logs.error("Error recorded from %s: %s", loop, error)
        raise
    finally:
        logs.info("%s marked as finished", loop)
        if failed:
            logs.warning("Reraising captured error")


def _log_intervals(config: TPURunConfig) -> dict[str, Any]:
    """Returns the interval arguments of the hook that logs examples per second; empty if logging is disabled."""
    iterations, unit = steps_per_loop(config.tpu_config.iterations_per_loop)
    if unit == "seconds":
        return {"every_n_steps": None, "every_n_secs": iterations}
    steps = config.log_step_count_steps
    return {} if steps is None else {"every_n_steps": math.ceil(steps / iterations)}


def _check_params(title: str, function: Callable, key: str) -> None:
    if "params" not in parameter_names(function):
        raise ValueError(
            f"{title} ({function}) does not include params argument, required by TPUEstimator to pass batch "
            f"size as params[{key}]"
        )


def _set_parameter(params: Any, key: str, value: Any) -> None:
    if not hasattr(params, "set_hparam"):
        params[key] = value
    elif key in params:
        params.set_hparam(key, value)
    else:
        params.add_hparam(key, value)


class _ExamplesPerSecond(StepCounterHook):
    """Logs the numbers of steps and examples per second, and writes them as summaries."""

    def __init__(self, batch_size: int | None, **options: Any):
        super().__init__(**options)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        steps = elapsed_steps / elapsed_time
        rates = {"global_step/sec": steps}
        if self._batch_size is not None:
            rates["examples/sec"] = self._batch_size * steps
        for tag, rate in rates.items():
            if self._summary_writer is not None:
                value = proto.Summary.Value(tag=tag, simple_value=rate)
                self._summary_writer.add_summary(proto.Summary(value=[value]), global_step)
            logs.info("%s: %g", tag, rate)
