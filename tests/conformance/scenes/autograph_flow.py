"""Converted functions with nested jumps: breaks, continues and returns in loops of both kinds, three deep."""

import functools

from tests.conformance.scenes import eager_mode

_SEEN = []
_COUNT = 0


def _jumps(n, most):
    total = 0
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        j = 0
        while j < i:
            j += 1
            if j % 2 == 0:
                continue
            for k in range(3):
                if k > most:
                    break
                total += i * j + k
            if total > 40:
                break
        if total > 60:
            break
    return total, i


def _returns(n, most):
    for i in range(4):
        if i > most:
            if n > 2:
                return n * i
            n += 1
        else:
            n += 10
    return n


def _returns_early(n, most):
    if n > most:
        return n
    while n < most:
        n += 2
    if n == most:
        return -n
    return n + 100


def _otherwise(n, most):
    found = 0
    for i in range(5):
        if i == n:
            found = i
            break
    while most > 0:
        most -= 1
    return found, most


def _combined(n, most):
    a = n > 1 and most > 1 and n < 5
    b = not (n > 3 or most > 3) or n == most
    c = n if a else (most if b else -n)
    d = 1 < n <= most
    return a, b, c, d


def _kept(n, most):
    state = {"a": n, "b": [n, most]}
    for i in range(3):
        if state["a"] < most:
            state["a"] += i
        state["b"][0] = state["b"][0] * 2
    return state["a"], state["b"][0]


def _guarded(n, most):
    try:
        if n > most:
            n = n - most
        else:
            n = most - n
    finally:
        n = n + 1
    with _Block():
        while n < 10:
            n = n * 2
    return n


class _Block(object):  # noqa: UP004  what Python 3.7 converts
    def __enter__(self):
        _SEEN.append("in")

    def __exit__(self, *of):
        _SEEN.append("out")


def _closed(n, most):
    count = 0

    def more(by):
        nonlocal count
        count += 1
        if by > 0:
            return n + by
        return n - by

    global _COUNT
    if n > most:
        _COUNT = _COUNT + 1
    second = functools.partial(more, by=-most)()
    return more(most), second, count, _COUNT


def _comprehended(n, most):
    rows = [n * i for i in range(3) if i != 1]
    pairs = {k + "c": v for k, v in zip("ab", rows)}
    return sum(rows), pairs["bc"], max(len(rows), 1), [x if x is not None else most for x in rows]


def _undefined(n, most):
    if n > most:
        value = n
    return value


def _undefined_in_loop(n, most):
    while n < most:
        last = n
        n += 1
    return last


def _other_types(n, most):
    if n > most:
        value = n
    else:
        value = 1.5
    return value


def _one_returns(n, most):
    if n > most:
        return n


def _asserted(n, most):
    assert n > most, "n is small"
    return n


def _deleted(n, most):
    other = n
    if n > most:
        other = most
    del other
    return n


def _swapped(n, most):
    a, b = n, most
    while a > 0:
        a, b = b - 1, a - 1
    (c, d), *rest = (a, b), n, most
    return a, b, c + d, rest[0]


def _of_rows(n, most):
    total = 0
    for row in _rows(n):
        if row[0] > most:
            break
        for x in row:
            if x == 2:
                continue
            total += x
    return total


def _rows(n):
    return [[n, 2], [3, n]] if isinstance(n, int) else n * [[1, 2], [3, 4]]


class _Model(object):  # noqa: UP004  what Python 3.7 converts
    bias = 5

    def __init__(self, scale):
        self.scale = scale
        self.calls = 0

    def __call__(self, n, most):
        self.calls += 1
        return self.scaled(n) if n > most else self.of_class(n) + self.alone(most)

    def scaled(self, n):
        while n < 20:
            n = n * self.scale
        return n

    @classmethod
    def of_class(cls, n):
        if n > 0:
            return n + cls.bias
        return n - cls.bias

    @staticmethod
    def alone(n):
        return n if n > 2 else -n


_FUNCTIONS = (_jumps, _returns, _returns_early, _otherwise, _combined, _kept, _guarded)
_FUNCTIONS += (_closed, _comprehended, _undefined, _undefined_in_loop, _other_types, _one_returns)
_FUNCTIONS += (_asserted, _deleted, _swapped, _of_rows)
# Rejected by TensorFlow, or its errors for variables without a value if no tensor decides.
_OTHERWISE = {_combined: ("it",), _undefined: ("ii",), _undefined_in_loop: ("ii",)}


def values(tf, stage):
    """Calls with numbers, tensors and a mixture; in graph and eager mode."""
    global _COUNT
    for function in _FUNCTIONS:
        made = tf.autograph.to_graph(function)
        for kinds in ("ii", "tt", "ti", "it"):
            if kinds in _OTHERWISE.get(function, ()):
                continue
            del _SEEN[:]
            _COUNT = 0
            with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
                pairs = ((3, 2), (1, 4))
                for pair in pairs if kinds != "tt" else (*pairs, (4, 1)):
                    given = [tf.constant(n) if kind == "t" else n for n, kind in zip(pair, kinds)]
                    found = tf.nest.map_structure(tf.convert_to_tensor, made(*given))
                    stage.say(function.__name__, kinds, session.run(found), *_SEEN)
                stage.say(len(graph.get_operations()) if kinds == "tt" else "")
    model = _Model(3)
    with tf.Graph().as_default(), tf.Session() as session:
        stage.say(model.calls, tf.autograph.to_graph(model.scaled)(model, 1))


def functions(tf, stage):
    """As `tf.function`s traced with tensors, with the trace reused, and with side effects of tracing."""
    global _COUNT
    with eager_mode(tf):
        for function in _FUNCTIONS:
            del _SEEN[:]
            _COUNT = 0
            call = tf.function(function)
            for pair in ((3, 2), (1, 4), (4, 1), (0, 0)):
                with stage.failing():
                    stage.say(function.__name__, call(*map(tf.constant, pair)), *_SEEN)
            if function is not _combined:
                with stage.failing():
                    stage.say(call(3, tf.constant(2)), len(_SEEN), _COUNT)
        model = _Model(2)
        call = tf.function(model)
