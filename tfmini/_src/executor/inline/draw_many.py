"""draw_many: batches a function that draws a random class from a given seed, as in `sample_from_datasets`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.random_choices import classes_from_seeds
from tfmini._src.executor.inline.parse_many import BatchedCall, skip_identities
from tfmini._src.graph.graphdef.function_bodies import Body
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops.random.distribution_sampling import check_choices


def make_batched_draw(body: Body) -> BatchedCall | None:
    """Returns a batched callable for the function of `body`; None for other functions.

    The function must draw its result from logits (a captured argument or a constant), seeded by its first argument.
    """
    arguments = [arg.outputs[0] for arg in body.arguments]
    if len(body.results) != 1 or body.effects:
        return None
    squeeze = skip_identities(body.results[0]).op
    if squeeze.type != "Squeeze" or [*squeeze.attrs["squeeze_dims"]] != [0, 1]:
        return None
    draw_op = squeeze.inputs[0].op
    if draw_op.type != "StatelessMultinomial":
        return None
    logits, samples, seed = draw_op.inputs
    logits = skip_identities(logits)
    if skip_identities(seed) not in arguments[:1] or constant_value(samples) != 1:
        return None
    dtype = draw_op.attrs["output_dtype"].as_numpy_dtype
    fixed = None if logits in arguments[1:] else constant_value(logits)
    index = arguments.index(logits) if fixed is None and logits in arguments[1:] else 0
    if fixed is None and not index:
        return None

    def draw_classes(calls: Sequence[Sequence[np.ndarray]]) -> list[tuple[np.ndarray]]:
        choices = fixed if fixed is not None else calls[0][index]
        check_choices(choices, np.int32(1))
        if len(choices) != 1 or any(call[0].shape != (2,) for call in calls):
            invalid("the function is called for each seed")
        seeds = np.array([call[0] for call in calls], np.int64)
        return [(class_id,) for class_id in classes_from_seeds(choices, seeds).astype(dtype)]

    return draw_classes
