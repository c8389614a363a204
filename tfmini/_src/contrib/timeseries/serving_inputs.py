"""Inputs of an exported time series model: arrays, or serialized examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.states import state_to_dictionary
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.export.serving_input_receiver import ServingInputReceiver
from tfmini._src.models.feature_column.numeric_columns import numeric_column
from tfmini._src.models.feature_column.parse_example_spec import make_parse_example_spec
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import FixedLenFeature

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
Receiver = Callable[[], ServingInputReceiver]


def start_state_placeholders(model: Any, batch: Tensor, static_batch: int | None) -> dict[str, Any]:
    """Returns placeholders for the parts of a model's state, [batch, ...], zero by default."""
    with Graph().as_default():  # creating the model's parameters determines the shapes
        model.initialize_graph()
        zeros = map_structure(
            lambda part: constant_value(ops.zeros_like(part)), model.get_start_state()
        )
    placeholders = {}
    for name, part in state_to_dictionary(zeros).items():
        repeats = [batch[None], ops.ones(len(part.shape), dtype=dtypes.int32)]
        default = ops.tile(part[None, ...], multiples=ops.concat(repeats, axis=0))
        shape = TensorShape((static_batch,)).concatenate(part.shape)
        placeholders[name] = ops.placeholder_with_default(input=default, name=name, shape=shape)
    return placeholders


def raw_receiver(model: Any, batch: int | None, length: int | None) -> Receiver:
    """Returns an input function with placeholders; same arguments as `build_raw_serving_input_receiver_fn`."""

    def receive() -> ServingInputReceiver:
        times = ops.placeholder(name=_TIMES, dtype=dtypes.int64, shape=[batch, length])
        zeros = ops.zeros([batch or 0, length or 0, model.num_features], dtype=model.dtype)
        values = ops.placeholder_with_default(
            name=_VALUES, input=zeros, shape=(batch, length, model.num_features)
        )
        placeholders = {_TIMES: times, _VALUES: values}
        for name, (shape, dtype) in _exogenous(model.exogenous_feature_columns).items():
            dims = [batch, length, *shape.with_rank_at_least(1).as_list()[1:]]
            placeholders[name] = ops.placeholder(dtype=dtype, name=name, shape=dims)
        placeholders.update(start_state_placeholders(model, ops.shape(times)[0], batch))
        return ServingInputReceiver(placeholders, placeholders)

    return receive


def _exogenous(columns: Any) -> dict[str, Any]:
    """Returns the shape, [batch, ...], and dtype of each exogenous feature."""
    if not columns:
        return {}
    with Graph().as_default():
        parsed = ops.parse_example(
            serialized=ops.placeholder(shape=[None], dtype=dtypes.string),
            features=make_parse_example_spec(columns),
        )
        return {key: (value.get_shape(), value.dtype) for key, value in parsed.items()}


def parsing_receiver(
    model: Any,
    filtering_length: int,
    prediction_length: int,
    batch: int | None,
    values_dtype: Any,
    truncate_values: bool,
) -> Receiver:
    """Returns an input function for examples, for `build_one_shot_parsing_serving_input_receiver_fn`."""
    length = filtering_length + prediction_length

    def parsing_spec(key: str, spec: Any) -> FixedLenFeature:
        if isinstance(spec, FixedLenFeature):
            size = filtering_length if key == _VALUES and not truncate_values else length
            return spec._replace(shape=(size, *spec.shape))
        if spec.dtype == dtypes.string:
            return FixedLenFeature(shape=(length,), dtype=dtypes.string)
        raise ValueError(f"VarLenFeatures not supported, got {spec} for key {key}")

    def receive() -> ServingInputReceiver:
        columns = [
            numeric_column(key=_TIMES, dtype=dtypes.int64),
            numeric_column(key=_VALUES, dtype=values_dtype, shape=(model.num_features,)),
        ]
        specs = make_parse_example_spec([*model.exogenous_feature_columns, *columns])
        parsed = {key: parsing_spec(key, spec) for key, spec in specs.items()}
        examples = ops.placeholder(shape=[batch], dtype=dtypes.string, name="input")
        features = ops.parse_example(serialized=examples, features=parsed)
        features[_TIMES] = ops.squeeze(features[_TIMES], axis=-1)
        features[_VALUES] = ops.cast(features[_VALUES], dtype=model.dtype)[:, :filtering_length]
        size = ops.shape(features[_TIMES])[0]
        features.update(start_state_placeholders(model, size, batch))
        return ServingInputReceiver(features, {"examples": examples})

    return receive
