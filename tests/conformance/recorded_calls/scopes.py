"""Recorded calls within scopes: name, device, control dependency, colocation, and variable scopes with all options;
their logs; a second step. `ci/record calls --scopes` writes TensorFlow's results.
"""

import json
import logging
import re
import warnings

from tests.conformance import scenes, short_programs
from tests.conformance.recorded_calls import inputs

MAX_BASES = 2  # per function
STATEFUL = re.compile(
    "Random|Queue|Stack|Assign|Accumulator|Iterator|Stage|Barrier|Table|Reader|Variable"
)
# Messages about the machine, and about variables that TensorFlow creates itself.
_ASIDE = re.compile("OMP_NUM_THREADS|with constraint is deprecated")
_DEPRECATED = re.compile(r"^(calling )?\S+( \(from [\w.]+\))?(?= (with .+ )?is deprecated)")


def varied(tf, groups):
    """Records: calls of `groups` in each scope; calls without variables or state only in some."""
    of_record = {
        json.dumps(record): wanted for calls in groups.values() for _, record, wanted in calls
    }
    found = {}
    for record in inputs.bases(groups, MAX_BASES):
        wanted = of_record[json.dumps(record)]
        ways = {*_OF_ALL}
        if "variables" in wanted:
            ways |= {*_OF_VARIABLES}
        if STATEFUL.search(wanted["nodes"]):
            ways.add("again")
        for way in WAYS:
            if way in ways:
                found[json.dumps(dict(record, w=way), sort_keys=True)] = None
    return [json.loads(text) for text in found]


def _placed(tf, call):
    with tf.name_scope("outer"), tf.device("/cpu:0"), tf.control_dependencies([tf.no_op("first")]):
        return call()[0]


def _colocated(tf, call):
    with tf.colocate_with(tf.no_op("beside")), tf.device("/job:localhost"):
        return call()[0]


def _logged(tf, call):
    """The result, and warnings and errors logged or issued by Python's `warnings`."""
    handler, logger = _Kept(), logging.getLogger("tensorflow")
    level, handlers, propagates = logger.level, logger.handlers, logger.propagate
    scenes.forget_what_was_logged(tf)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", UserWarning)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
        try:
            result = call()[0]
        finally:
            logger.setLevel(level)
            logger.handlers, logger.propagate = handlers, propagates
    texts = handler.texts + [str(each.message) for each in given if each.category is UserWarning]
    return [result, [first_line(text) for text in texts if not _ASIDE.search(text)]]


class _Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def first_line(text):
    """Without the caller's location, and without the deprecated name, to which TensorFlow adds its module."""
    text = re.sub(r"^From .*?: ", "", text.split("\n")[0])
    return short_programs.plain(_DEPRECATED.sub("NAME", text))


def _with_options(tf, call):
    def getter(get, name, *arguments, **named):
        return 2.0 * get(name + "_own", *arguments, **named)

    with tf.variable_scope(
        "outer",
        initializer=tf.ones_initializer(),
        regularizer=lambda variable: tf.reduce_sum(variable, name="regular"),
        caching_device="/cpu:0",
        custom_getter=getter,
    ):
        return call()[0]


def _partitioned(tf, call):
    with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(2)):
        return call()[0]


def _resources(tf, call):
    with tf.variable_scope("outer", use_resource=True, constraint=tf.identity):
        return call()[0]


def _reused(tf, call):
    found = []
    for _ in range(2):
        with tf.variable_scope("outer", reuse=tf.AUTO_REUSE):
            found.append(call()[0])
    return found


def _again(tf, call):
    return call()[0]


_OF_ALL = {"placed": _placed, "colocated": _colocated, "logged": _logged}
_OF_VARIABLES = {
    "options": _with_options,
    "partitioned": _partitioned,
    "resources": _resources,
    "reused": _reused,
}
WAYS = {**_OF_ALL, **_OF_VARIABLES, "again": _again}
