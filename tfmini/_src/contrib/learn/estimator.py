"""`tf.contrib.learn.Estimator`: fit, evaluate, predict and export with a model function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.contrib.learn.base_estimator import BaseEstimator
from tfmini._src.contrib.learn.export_signatures import (
    build_all_signature_defs,
    get_input_alternatives,
    get_output_alternatives,
)
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.contrib.learn.predict import metric_ops
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_saved_model import export_all
from tfmini._src.models.estimator.fn_args import accepted_arguments, parameter_names
from tfmini._src.models.estimator.mode_keys import ModeKeys as CoreModeKeys
from tfmini._src.train.global_step import create_global_step

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig


class GraphRewriteSpec(NamedTuple):
    """Graph transforms of an export, and its SavedModel tags."""

    tags: tuple
    transforms: tuple


_SERVING_SPECS = (GraphRewriteSpec(("serve",), ()),)


def _identity_features(features: Any, labels: Any) -> tuple[Any, Any]:
    return features, labels


class Estimator(BaseEstimator):
    """An Estimator defined by a model function; checkpoints preserve its state between calls.

    Args:
      model_fn: builds the model: `model_fn(features, labels, mode, params, config, model_dir)`, of which only the first
        two are required, returns ModelFnOps, or (predictions, loss, train_op).
      model_dir: directory of checkpoints and event files.
      config: a RunConfig.
      params: passed to `model_fn` as `params`.
      feature_engineering_fn: a function that transforms (features, labels) for the model.

    Raises:
      ValueError: if `params` are given, but `model_fn` does not accept them.

    Example:
      def model(features, labels):
          loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
          return None, loss, tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())

      tf.contrib.learn.Estimator(model).fit(input_fn=input_fn, steps=100)
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: TensorLike | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):
        super().__init__(model_dir=model_dir, config=config)
        if model_fn is not None:
            takes_params = "params" in parameter_names(model_fn)
            if params is not None and not takes_params:
                raise ValueError(
                    f"Estimator's model_fn ({model_fn}) does not have a params argument, but params "
                    f"({params}) were passed to the Estimator's constructor."
                )
            if params is None and takes_params:
                logs.warning(
                    "Estimator's model_fn (%s) includes params argument, but params are not passed to "
                    "Estimator.",
                    model_fn,
                )
        self._model_fn, self.params = model_fn, params
        self._engineer = feature_engineering_fn or _identity_features

    def _call_model_fn(
        self, features: Any, labels: Any, mode: str, metrics: Any = None, config: Any = None
    ) -> ModelFnOps:
        features, labels = self._engineer(features, labels)
        function: Any = self._model_fn
        values = {
            "mode": mode,
            "params": self.params,
            "config": config or self.config,
            "model_dir": self.model_dir,
        }
        result = function(features, labels, **accepted_arguments(function, values))
        if not isinstance(result, ModelFnOps):
            if len(result) != 3:
                raise ValueError(
                    "Unrecognized value returned by model_fn, please return ModelFnOps."
                )
            result = ModelFnOps(mode, *result)
        if metrics:
            extra_metrics = metric_ops(metrics, features, labels, result.predictions)
            result.eval_metric_ops.update(extra_metrics)
        return result

    def export_savedmodel(
        self,
        export_dir_base: str,
        serving_input_fn: Callable[..., Any],
        default_output_alternative_key: str | None = None,
        assets_extra: dict[Any, Any] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        graph_rewrite_specs: Sequence[Any] = _SERVING_SPECS,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Writes the model as a SavedModel.

        Args:
          export_dir_base: parent directory of the export, whose name is a timestamp.
          serving_input_fn: returns InputFnOps.
          default_output_alternative_key: key of the default output, if there are several.
          assets_extra: a dict from file name in "assets.extra" to the file to be copied there.
          as_text: whether to write text instead of binary protos.
          checkpoint_path: checkpoint path, by default the latest.
          graph_rewrite_specs: a single spec without transforms, tagged for serving.
          strip_default_attrs: whether to omit attrs with default values.

        Returns:
          Path of the new directory.

        Raises:
          ValueError: if the input function or features are missing, or for an unknown output.
          UnimplementedError: for graph transforms or other tags.
          NotFittedError: if there is no checkpoint.
        """
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        if any(spec.transforms for spec in graph_rewrite_specs):
            raise UnimplementedError(
                None, None, "tfmini does not support graph transforms during export"
            )
        if [tuple(spec.tags) for spec in graph_rewrite_specs] != [_SERVING_SPECS[0].tags]:
            raise UnimplementedError(
                None, None, "tfmini exports only one graph, tagged for serving"
            )

        def build(mode: str, graph: Graph, receive: Callable) -> tuple[Any, EstimatorSpec]:
            create_global_step(graph)
            received = receive()
            inputs, features = get_input_alternatives(received)
            result = self._call_model_fn(features, None, ModeKeys.INFER)
            outputs, default = get_output_alternatives(result, default_output_alternative_key)
            signatures = build_all_signature_defs(inputs, outputs, default)
            spec = result.estimator_spec(default_output_alternative_key)
            return _Receiver(features, signatures), spec

        return export_all(
            export_dir_base,
            {CoreModeKeys.PREDICT: serving_input_fn},
            build,
            checkpoint_path or self._checkpoint(),
            self._session_config,
            assets_extra or {},
            as_text,
            strip_default_attrs,
        )


class _Receiver(NamedTuple):
    """Input features of an export, and its SignatureDefs by name."""

    features: Any
    signatures: dict[str, Any]
