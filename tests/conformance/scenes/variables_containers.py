"""Tracked lists and dicts: permitted changes, comparison, and changes that prevent saving."""

import copy
import pickle


def _holder(tf, **values):
    made = tf.Module()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def lists_of_the_library(tf, stage):
    def v(name):
        return tf.Variable(1.0, name=name, use_resource=True)

    a, b = v("a"), v("b")
    List = tf.contrib.checkpoint.List
    made = List([a])

    def names(items):
        return [item.name for item in items]

    def multiplied(times):
        nonlocal made
        made *= times
        return names(made)

    def added(other):
        nonlocal made
        made += other
        return names(made)

    stage.attempts(
        lambda: List(),
        lambda: List(["x"]),
        lambda: made.append(None),
        lambda: made.extend(b),
        lambda: multiplied(0),
        lambda: added((2,)),
        lambda: made + 3,
        lambda: made * "x",
        lambda: made[0].name,
        lambda: made["a"],
        lambda: made == made,
        lambda: [each.name for each in made._checkpoint_dependencies],
    )


def lists_of_attributes(tf, stage):
    a, b = (tf.Variable(1.0, name=name, use_resource=True) for name in "ab")

    def wrapped(*values):
        return _holder(tf, l=list(values)).l

    numbers = wrapped(1, 2, 3)

    def after(function, *values):
        """A call's result, the list afterwards, and whether it can still be saved."""
        made = wrapped(*(values or (a, b)))
        with stage.failing():
            stage.say("gives", str(function(made)).replace("ListWrapper", "List"))
        stage.say([getattr(item, "name", item) for item in made])
        with stage.failing():
            stage.say([each.name for each in made._checkpoint_dependencies])

    def times(made, number):
        made *= number
        return len(made)

    stage.attempts(
        lambda: numbers == [1, 2, 3],
        lambda: (numbers != [1, 2, 3], numbers != [1, 2], numbers != wrapped(1, 2, 3)),
        lambda: (numbers <= [1, 2, 3], numbers <= [1, 2], numbers <= wrapped(2)),
        lambda: (numbers > [1, 2, 2], numbers > [1, 2, 3], numbers > wrapped(2)),
        lambda: (numbers >= [1, 2, 3], numbers >= [1, 2, 4], numbers >= wrapped(0)),
        lambda: numbers < 3,
        lambda: hash(numbers),
        lambda: numbers.index(5),
        lambda: pickle.loads(pickle.dumps(numbers)) == numbers,
    )
    cases = {
        "insert": lambda m: m.insert(0, 3),
        "remove": lambda m: m.remove(b),
        "clear": lambda m: m.clear(),
        "delete_far": lambda m: m.__delitem__(7),
        "set_last": lambda m: m.__setitem__(-1, 3),
        "set_slice": lambda m: m.__setitem__(slice(0, 1), [1, 2]),
        "set_slice_at_end": lambda m: m.__setitem__(slice(2, None), [a, 5]),
        "times_nothing": lambda m: times(m, 0),
    }
    for name, function in cases.items():
        stage.say(name)
        after(function)
    for name, function in (
        ("sort", lambda m: m.sort()),
        ("set_number", lambda m: m.__setitem__(0, 9)),
        ("set_variable", lambda m: m.__setitem__(0, a)),
        ("times", lambda m: times(m, 2)),
    ):
        stage.say("numbers", name)
        after(function, 3, 1, 2)


def lists_changed_outside(tf, stage):
    a, b = (tf.Variable(1.0, name=name, use_resource=True) for name in "ab")

    def after(*steps):
        given = [a]
        made = _holder(tf, l=given).l
        for step in steps:
            step(given, made)
        stage.say(len(given), len(made), [getattr(item, "name", item) for item in made])
        with stage.failing():
            stage.say([each.name for each in made._checkpoint_dependencies])
        return made

    after(lambda g, m: g.__setitem__(0, b))
    after(lambda g, m: g.append(b), lambda g, m: m.append(b))
    after(lambda g, m: m.append(1), lambda g, m: g.pop())
    after(lambda g, m: m.append(1), lambda g, m: g.pop(), lambda g, m: m.extend([1]))
    after(lambda g, m: g.append(1), lambda g, m: g.pop())
    changed = after(lambda g, m: g.append(1), lambda g, m: m.__setitem__(1, 2))
    moved = after(lambda g, m: m.insert(0, 1))
    for made in (changed, moved):
        for other in (made.copy(), copy.copy(made)):
            with stage.failing():
                stage.say([each.name for each in other._checkpoint_dependencies])
    module = tf.Module()
    module.l = tf.contrib.checkpoint.NoDependency([a])
    stage.say(type(module.l).__name__)
    module.l = [tf.contrib.checkpoint.NoDependency(a), b]
    stage.say([each.name for each in module.l._checkpoint_dependencies], module.l[0] is a)


def dicts_of_attributes(tf, stage):
    a, b = (tf.Variable(1.0, name=name, use_resource=True) for name in "ab")

    def wrapped(**values):
        return _holder(tf, d=dict(values)).d

    numbers = wrapped(x=1, y=2)
    stage.attempts(
        lambda: str(numbers),
        lambda: (numbers != {"x": 1, "y": 2}, numbers != {"x": 1}, numbers != wrapped(x=1, y=2)),
        lambda: hash(numbers),
        lambda: pickle.loads(pickle.dumps(numbers)) == numbers,
    )

    def after(function, made=None):
        made = wrapped(x=a, y=b) if made is None else made
        with stage.failing():
            stage.say("gives", str(function(made)))
        stage.say(sorted((str(k), getattr(value, "name", value)) for k, value in made.items()))
        with stage.failing():
            stage.say(sorted(each.name for each in made._checkpoint_dependencies))

    cases = {
        "update": lambda d: d.update({"z": a}, w=b),
        "setdefault_new": lambda d: d.setdefault("z", 5),
        "delete": lambda d: d.__delitem__("x"),
        "pop": lambda d: d.pop("x").name,
        "popitem": lambda d: len(d.popitem()),
        "clear": lambda d: d.clear(),
    }
    for name, function in cases.items():
        stage.say(name)
        after(function)
    for name, function in (
        ("other key aside", lambda d: d.__setitem__(1, tf.contrib.checkpoint.NoDependency(a))),
    ):
        stage.say("numbers", name)
        with stage.failing():
            made = wrapped(x=1, y=2)
            stage.say(str(function(made)))
            stage.say(len(made), sorted(map(str, made)))
            stage.say(sorted(each.name for each in made._checkpoint_dependencies))
    given = {"x": a}
    made = _holder(tf, d=given).d
    given["y"] = 1
    stage.say(len(made))
    stage.attempts(
        lambda: made._checkpoint_dependencies,
        lambda: made.__setitem__("z", 1),
        lambda: made._checkpoint_dependencies,
    )


def mappings_and_unique_names(tf, stage):
    a, b = (tf.Variable(1.0, name=name, use_resource=True) for name in "ab")
    Mapping = tf.contrib.checkpoint.Mapping
    made = Mapping({"x": a}, y=b)
    tracker = tf.contrib.checkpoint.UniqueNameTracker()
    stage.attempts(
        lambda: Mapping(),
        lambda: Mapping({1: a}),
        lambda: len(made),
        lambda: list(made),
        lambda: made["x"].name,
        lambda: made.__setitem__("x", b),
        lambda: [v.name for v in made.weights],
        lambda: type(copy.copy(made)).__name__,
        lambda: tracker.track(a, "x").name,
        lambda: tracker.track(3, "x"),
        lambda: tracker.track([a], "x"),
        lambda: [v.name for v in tracker.weights],
        lambda: tracker.layers,
    )


def layers_of_containers(tf, stage):
    keras, half = tf.keras, lambda w: 0.5 * tf.reduce_sum(w)
    dense = keras.layers.Dense(2, kernel_regularizer=half, name="dense")
    norm = keras.layers.BatchNormalization(name="norm")
    a = tf.Variable(1.0, name="a", use_resource=True)
    b = tf.Variable(1.0, name="b", trainable=False, use_resource=True)
    held = _holder(tf, l=[dense, {"n": norm, "b": b}, a], d={"z": [dense], "y": a, "n": norm})
    x = tf.ones([3, 2])
    norm(dense(x))
    lists = tf.contrib.checkpoint.List([dense, [norm], a, b])
    mapping = tf.contrib.checkpoint.Mapping(n=norm, d=dense, b=b)
    for made in (held.l, held.d, lists, mapping):
        stage.attempts(
            lambda: [layer.name for layer in made.layers],  # noqa: B023  called here
            lambda: [v.name for v in made.weights],  # noqa: B023
            lambda: (len(made.losses), len(made.updates), made.trainable),  # noqa: B023
        )
        made.trainable = False
        stage.attempt(lambda: [v.name for v in made.trainable_weights])  # noqa: B023
        stage.attempt(lambda: [v.name for v in made.non_trainable_weights])  # noqa: B023
        stage.say(made.trainable, dense.trainable)
    model = keras.Sequential([dense])
    model.extra = [keras.layers.Dense(1, name="one")]
    stage.say([layer.name for layer in model.layers])

    class Held(keras.layers.Layer):
        def __init__(self, **values):
            super().__init__(name="held")
            for name, value in values.items():
                setattr(self, name, value)

    for values in (
        {"l": [a, [b]]},
        {"d": {"k": a, "l": [b, dense]}},
        {"l": [[dense], [norm]], "m": [dense]},
        {"d": {"b": {"c": norm}}},
        {"l": tf.contrib.checkpoint.List([a, dense])},
        {"t": (a, [b])},
    ):
        layer = Held(**values)
        stage.say(sorted(values), [v.name for v in layer.weights])
        stage.say([v.name for v in layer.trainable_weights])
        layer.trainable = False
        stage.say([v.name for v in layer.weights], [v.name for v in layer.trainable_weights])
        layer.trainable = True
