"""Converts models to Estimators, whose model function builds a compiled copy in each graph."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import device
from tfmini._src.graph.seeds import set_random_seed
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_arguments import set_model_directory
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import PredictOutput
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.engine.clone_model import copy_model
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.engine.standardize_arrays import weights_by_output
from tfmini._src.models.keras.export.compiled_copy import compile_copy, optimizer_config
from tfmini._src.models.keras.models import load_model
from tfmini._src.nn.layers.backend.learning_phase import set_learning_phase
from tfmini._src.nn.layers.backend.session import get_session, track
from tfmini._src.ops import ops
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.global_step import get_global_step, get_or_create_global_step
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.object_checkpoint.object_graph import (
    GraphSaveable,
    object_graph_message,
    walk,
)

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.keras.engine.model import Model


def model_to_estimator(
    keras_model: Model | None = None,
    keras_model_path: str | None = None,
    custom_objects: dict[str, Any] | None = None,
    model_dir: str | None = None,
    config: RunConfig | None = None,
    checkpoint_format: str = "saver",
) -> Any:
    """Creates an Estimator that trains copies of a compiled model, starting from its weights.

    Args:
      keras_model: a compiled functional or Sequential model.
      keras_model_path: an HDF5 file with a compiled model, instead of `keras_model`.
      custom_objects: custom classes and functions by name.
      model_dir: the Estimator's directory.
      config: a RunConfig.
      checkpoint_format: "saver": variables by name; "checkpoint": object-based, as models save them.

    Returns:
      An Estimator; features are a tensor, a list, or a dict by input name, optionally with weights:
      {"features": ..., "sample_weights": ...}.

    Raises:
      ValueError: unless exactly one of model and path is given; for an uncompiled or subclassed model, or another
        format.

    Example:
      estimator = tf.keras.estimator.model_to_estimator(model, model_dir="/tmp/model")
      estimator.train(lambda: tf.data.Dataset.from_tensors((x, y)).repeat(10))
    """
    if not (keras_model or keras_model_path):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    config = set_model_directory(config, model_dir)
    if keras_model:
        logs.info("Using the Keras model provided.")
    else:
        logs.info("Loading models from %s", keras_model_path)
        keras_model = load_model(keras_model_path)
    if checkpoint_format not in (None, "checkpoint", "saver"):
        raise ValueError(
            f'Checkpoint format must be one of "checkpoint" or "saver". Got {checkpoint_format}'
        )
    if not (keras_model._is_graph_network or isinstance(keras_model, Sequential)):
        raise ValueError(
            "Object-based checkpoints are currently not supported with subclassed models."
            if checkpoint_format != "saver"
            else "A subclassed model cannot be copied into the Estimator's graphs: write its `call` as a model_fn."
        )
    if not getattr(keras_model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with `model.compile()` before "
            "calling `model_to_estimator()`."
        )
    function = _ModelFunction(keras_model, custom_objects, checkpoint_format != "saver")
    first = function.save_first(config) if keras_model._is_graph_network else None
    return Estimator(function.model_fn, config=config, warm_start_from=first)


class _ModelFunction:
    """A model function that copies a Keras model."""

    def __init__(self, model: Any, custom_objects: Any, from_objects: bool):
        self._model = model
        self._custom_objects = custom_objects
        self._from_objects = from_objects
        self._optimizer = optimizer_config(model)

    def model_fn(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        """Returns the EstimatorSpec of a model copy called on features and labels."""
        result = self._copy(features, labels, mode)
        predictions = dict(zip(result.output_names, result.outputs))
        loss = train = metrics = None
        if mode != ModeKeys.PREDICT:
            step = (
                result._make_train_function
                if mode == ModeKeys.TRAIN
                else result._make_test_function
            )
            function = step()
            loss = result.total_loss
            metrics = {metric.name: metric for metric in result._compile_metric_functions} or None
            if mode == ModeKeys.TRAIN:
                train = function.updates_op
        scaffold = None
        if self._from_objects:
            scaffold = Scaffold(saver=_object_saver(result))
        return EstimatorSpec(
            mode=mode,
            predictions=predictions,
            loss=loss,
            train_op=train,
            eval_metric_ops=metrics,
            export_outputs={"serving_default": PredictOutput(predictions)},
            scaffold=scaffold,
        )

    def _copy(self, features: Any, labels: Any, mode: str) -> Any:
        set_learning_phase(int(mode == ModeKeys.TRAIN))
        weights = None
        if isinstance(features, dict) and set(features) == {"features", "sample_weights"}:
            features, weights = features["features"], features["sample_weights"]
        names = self._model.input_names, self._model.output_names
        inputs = _ordered_tensors(features, names[0], "features", "inputs")
        targets = _ordered_tensors(labels, names[1], "labels", "outputs")
        step = None
        if mode != ModeKeys.PREDICT:
            step = get_or_create_global_step()
            track(step)
        copy = copy_model(self._model, inputs, self._custom_objects)
        if mode != ModeKeys.PREDICT:
            compile_copy(copy, self._model, self._optimizer, targets, step, self._custom_objects)
            if weights is not None:
                copy._compile_losses(weights_by_output(weights, copy.output_names, "sample_weight"))
        return copy

    def save_first(self, config: Any) -> str:
        """Writes the initial checkpoint of the model's weights unless one exists; returns its prefix."""
        directory = os.path.join(config.model_dir, "keras")
        checkpoint = latest_checkpoint(directory)
        if checkpoint:
            return checkpoint
        values = self._model.get_weights() if self._has_values() else None
        makedirs(directory)
        path = os.path.join(directory, "keras_model.ckpt")
        with Graph().as_default():
            set_random_seed(config.tf_random_seed)
            result = self._copy(None, None, ModeKeys.TRAIN)
            result._make_train_function()
            with Session(config=config.session_config).as_default():
                if values is not None:
                    result.set_weights(values)
                session = get_session()  # initializes the variables, with nodes before the saver's
                saver = _object_saver(result) if self._from_objects else Saver()
                saver.save(session, path, write_meta_graph=not self._from_objects)
        return path

    def _has_values(self) -> bool:
        """Whether a session has initialized the weights; otherwise training initializes them with the config's seed."""
        return any(getattr(v, "_keras_initialized", False) for v in self._model.weights)


def _object_saver(model: Any) -> Saver:
    """Returns an object-based Saver for the copy and the global step of the Estimator."""
    model._track_trackable(get_global_step(), "estimator_global_step", overwrite=True)
    message, saveables = object_graph_message(walk(model))
    with device("/cpu:0"):
        names = ops.constant(message.SerializeToString())
    return Saver([*saveables, GraphSaveable(names)], sharded=True)


def _as_tensor(x: Any) -> Any:
    return x if isinstance(x, SparseTensor) else ops.convert_to_tensor(x)


def _ordered_tensors(value: Any, names: list[str], title: str, order: str) -> Any:
    """Returns the tensors in the order of the model's inputs or outputs; None if `value` is None."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [_as_tensor(x) for x in value]
    if not isinstance(value, dict):
        return [_as_tensor(value)]
    if set(value) != set(names):
        raise KeyError(
            f"The dictionary passed into {title} does not have the expected {order} keys defined in the keras model."
            f"\n\tExpected keys: {set(names)}\n\t{title} keys: {set(value)}\n\tDifference: {set(value) ^ set(names)}"
        )
    return [_as_tensor(value[name]) for name in names]
