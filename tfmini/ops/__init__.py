"""The ops, one file a family: signature, kernel, shape rule and gradient of each, and the public functions beside them.

Files reach each other's ops through the namespaces `raw` and `ops` of `tfmini.graph.opdef` when rules run, so the
order of imports does not matter.
"""

from tfmini.ops import (
    asserts,
    cases,
    cond_context,
    conditions,
    constants,
    filling,
    grouping,
    identities,
    joining,
    packing,
    sequences,
    shapes,
    splitting,
    switches,
)

__all__ = [
    "asserts",
    "cases",
    "cond_context",
    "conditions",
    "constants",
    "filling",
    "grouping",
    "identities",
    "joining",
    "packing",
    "sequences",
    "shapes",
    "splitting",
    "switches",
]
