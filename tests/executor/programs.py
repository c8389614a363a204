"""Helpers for pass tests: a program compiled from fetches, and its node names."""

import tfmini as tf
from tfmini._src.compiler.passes.prune import prune
from tfmini._src.compiler.pipeline import Target, lower
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.registry import listed


def placement(**config):
    config = tf.ConfigProto(**config)
    devices = listed(config, {})
    return Placement(devices, config.allow_soft_placement, config.log_device_placement)


def pruned(*fetches, feeds=(), targets=()):
    """The program after the first stage."""
    return prune(fetches, feeds, targets)


def lowered(*fetches, feeds=(), targets=(), **config):
    """The program after all stages, for the devices of the ConfigProto."""
    places = placement(**config)
    places.update(tf.get_default_graph())
    return lower(fetches, feeds, targets, Target(places, {}))


def kinds(program):
    """Each node's op name, or its replacement by a stage."""
    return [node.opdef.name if node.kind == "op" else node.kind for node in program.nodes]


def names(program):
    return [node.origin.name for node in program.nodes]


def with_and_without(module, monkeypatch, fetches, feeds, **absent):
    """A session's values with a pass, and op by op with `absent` replacing functions of the pass's module."""
    results = []
    for functions in ({}, absent):
        with monkeypatch.context() as patch, tf.Session() as session:
            for name, function in functions.items():
                patch.setattr(module, name, function)
            session.run(tf.global_variables_initializer())
            results.append(session.run(fetches, feeds))
    return results
