"""Recorded calls with two arguments added or replaced: interactions between non-default arguments. `ci/record calls
--pairs` writes TensorFlow's results.
"""

import json
import random

from ci.commands.upstream import call_kinds
from tests.conformance.recorded_calls import inputs, options

MAX = 16  # calls per function
MAX_TRIED = 400


def varied(tf, groups):
    """Records: calls of `groups` with two randomly chosen arguments changed."""
    given = {}
    for calls in groups.values():
        for _, record, _ in calls:
            given.setdefault(call_kinds.full_name(record), []).append(record)
    found = {}
    for base in inputs.bases(groups, 1):
        name = call_kinds.full_name(base)
        try:
            parameters = options.parameters(tf, base)
        except (AttributeError, TypeError, ValueError):
            continue  # without a signature: a namedtuple, or a C function
        ones = list(options.others(base, parameters, given[name]))
        drawn = random.Random(name)
        pairs = set()
        for _ in range(MAX_TRIED if ones else 0):
            first = drawn.choice(ones)
            other = drawn.choice(ones)
            both = _both(base, first, other)
            if both is not None:
                pairs.add(json.dumps(both, sort_keys=True))
            if len(pairs) == MAX:
                break
        found.update(dict.fromkeys(sorted(pairs)))
    return [json.loads(text) for text in found]


def _both(base, first, other):
    """The changes of two calls combined, if they change different arguments."""
    arguments, named = list(base.get("a", ())), dict(base.get("k", {}))
    changed = set()
    for call in (first, other):
        for place, value in enumerate(call.get("a", ())):
            if place >= len(arguments) or value != base["a"][place]:
                changed.add(place)
                arguments[place] = value
        for key, value in call.get("k", {}).items():
            if key not in base.get("k", {}) or value != base["k"][key]:
                changed.add(key)
                named[key] = value
    if len(changed) < 2:
        return None
    return {**base, **({"a": arguments} if arguments else {}), **({"k": named} if named else {})}
