"""Anonymous iterators, and resources that TensorFlow 2 datasets share across epochs: caches, seed generators."""

from __future__ import annotations

import itertools
from typing import Any

from tfmini._src.base.dtypes import resource
from tfmini._src.devices.numpy.philox_words import Words
from tfmini._src.graph.op_traits.handle_kinds import (
    ITERATOR,
    MEMORY_CACHE,
    SEED_GENERATOR,
    Resource,
    any_resource,
)
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.ops.datasets.cache import Cache, FileCache
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    handle_shape,
    set_declared_types,
    string_argument,
)
from tfmini._src.ops.datasets.iterator import RESOURCE_KIND, IteratorResource
from tfmini._src.ops.datasets.shuffle import Shuffle, checked_buffer_size, stream_seeds

op = op_with_handles(
    **SOURCES,
    cache=MEMORY_CACHE,
    seed_generator=SEED_GENERATOR,
    resource=any_resource,
    handle=any_resource,
)

# Part of iterator names.
_numbers = itertools.count()
_HOST = b"/job:localhost/replica:0/task:0/device:CPU:0"


def _anonymous_iterator(ctx: Any) -> IteratorResource:
    attrs, container = ctx.attrs, "AnonymousIterator"
    name = f"{container}{next(_numbers)}"
    iterator_resource = IteratorResource(
        container, name, attrs["output_types"], attrs["output_shapes"]
    )
    iterator_resource.resources = ctx.resources
    return ctx.resources.named((RESOURCE_KIND, container, name), lambda: iterator_resource)


@op("AnonymousIterator", "-> handle: resource", infer=handle_shape, stateful=True, **ELEMENTS)
def anonymous_iterator_op(ctx):
    return _anonymous_iterator(ctx)


@op("AnonymousIteratorV2", "-> handle: resource, deleter: variant", stateful=True, **ELEMENTS)
def anonymous_iterator_v2_op(ctx):
    result = _anonymous_iterator(ctx)
    return result, result


@op("DeleteIterator", "handle: resource, deleter: variant ->", stateful=True)
def delete_iterator_op(ctx, handle, deleter):
    if handle.resource_kind is ITERATOR and not handle.destroyed:
        ctx.resources.destroy(handle)
    return ()


@op("IteratorGetDevice", "resource: resource -> device: string", infer=handle_shape, stateful=True)
def iterator_get_device_op(xp, resource):
    return _HOST


class MemoryCache(Resource):
    """A cache of elements that datasets share."""

    resource_kind = MEMORY_CACHE

    def __init__(self) -> None:
        self.elements: list = []


@op("AnonymousMemoryCache", "-> handle: resource, deleter: variant", stateful=True)
def anonymous_memory_cache_op(ctx):
    result = MemoryCache()
    return result, result


@op("DeleteMemoryCache", "handle: resource, deleter: variant ->", stateful=True)
def delete_memory_cache_op(xp, handle, deleter):
    if handle.resource_kind is MEMORY_CACHE:
        if deleter is not handle:  # nothing keeps its own, which has deleted it
            handle.destroyed = "MemoryCache/MemoryCache0"
        MEMORY_CACHE(handle, resource)
        handle.elements = []
    return ()


@op(
    "CacheDatasetV2",
    "input_dataset: variant, filename: string, cache: resource -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
    uses_files=True,
)
def cache_dataset_v2_op(ctx, input_dataset, filename, cache):
    prefix = string_argument(filename, "filename")
    if prefix:
        return set_declared_types(FileCache(input_dataset, prefix), ctx)
    return set_declared_types(Cache(input_dataset, cache.elements), ctx)


class SeedGenerator(Words, Resource):
    """A generator of epoch seeds that datasets share."""

    resource_kind = SEED_GENERATOR


@op(
    "AnonymousRandomSeedGenerator",
    "seed: int64, seed2: int64 -> handle: resource, deleter: variant",
    stateful=True,
)
def anonymous_random_seed_generator_op(ctx, seed, seed2):
    seed_generator = SeedGenerator(stream_seeds(seed, seed2))
    return seed_generator, seed_generator


@op("DeleteRandomSeedGenerator", "handle: resource, deleter: variant ->", stateful=True)
def delete_random_seed_generator_op(xp, handle, deleter):
    if handle.resource_kind is SEED_GENERATOR and deleter is not handle:
        handle.destroyed = "RandomSeedGenerator/RandomSeedGenerator0"
        SEED_GENERATOR(handle, resource)
    return ()


@op(
    "ShuffleDatasetV2",
    "input_dataset: variant, buffer_size: int64, seed_generator: resource -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
)
def shuffle_dataset_v2_op(ctx, input_dataset, buffer_size, seed_generator):
    result = Shuffle(input_dataset, checked_buffer_size(buffer_size), (0, 0), True, seed_generator)
    return set_declared_types(result, ctx)


for _op in (
    anonymous_iterator_v2_op,
    anonymous_memory_cache_op,
    anonymous_random_seed_generator_op,
):
    _op.infer(lambda op: [(), ()])
