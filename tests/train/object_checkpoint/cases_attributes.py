"""Variables in attributes, lists and dicts of modules; unsupported objects."""

import collections

from tests.train.object_checkpoint.held_values import module_of, variable

# Variables ---------------------------------------------------------------------------------------


def variables(tf):
    return module_of(
        tf,
        reference=variable(tf),
        resource=variable(tf, use_resource=True),
        of_scope=tf.get_variable("of_scope", [2]),
        local=tf.Variable(1, collections=[tf.GraphKeys.LOCAL_VARIABLES]),
    )


def partitioned_variable(tf):
    parts = tf.get_variable("p", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    return module_of(tf, whole=parts, parts=list(parts))


def mirrored_variable(tf):
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        return module_of(tf, v=variable(tf))


# Attributes, lists, dicts ------------------------------------------------------------------------


def module_within_module(tf):
    inner = module_of(tf, v=variable(tf))
    return module_of(tf, _hidden=inner, again=inner, plain="text", number=3)


def module_replaces(tf):
    module = module_of(tf, first=variable(tf, "a"), second=variable(tf, "b"))
    module.first = variable(tf, "c")
    module.second = None
    module.third = None
    module.third = variable(tf, "d")
    del module.first
    return module


def module_lists(tf):
    v = variable(tf)
    return module_of(
        tf,
        empty=[],
        numbers=[1, 2],
        mixed=[v, 7, "text", None, [], [v, [variable(tf, "deep")]], (variable(tf, "lost"),)],
        _hidden=[variable(tf, "hidden")],
        pair=(v, variable(tf, "also_lost")),
    )


def module_list_grows(tf):
    module = module_of(tf, many=[])
    for n in range(3):
        module.many.append(variable(tf, f"v{n}"))
    module.many.extend([module_of(tf, w=variable(tf, "w"))])
    return module


def module_dicts(tf):
    ordered = collections.OrderedDict([("z", variable(tf, "z")), ("a", variable(tf, "a"))])
    return module_of(
        tf,
        empty={},
        named={"b.c/d": variable(tf), "none": None, "list": [variable(tf, "l")]},
        ordered=ordered,
        by_number={1: "one"},
        _config={"units": 3},
    )


def module_dict_by_number(tf):
    return module_of(tf, by_number={1: variable(tf)})


def module_no_dependency(tf):
    module = module_of(tf, kept=variable(tf))
    module.aside = tf.contrib.checkpoint.NoDependency(variable(tf, "aside"))
    module.listed = tf.contrib.checkpoint.NoDependency([variable(tf, "listed")])
    return module


def counter_and_default_dict(tf):
    found = collections.defaultdict(list)
    found["v"] = variable(tf)
    return module_of(tf, found=found, kind=type("Own", (list,), {})([variable(tf, "w")]))


def checkpoints(tf):
    inner = tf.train.Checkpoint(v=variable(tf))
    inner.more = [inner, variable(tf, "w")]
    return inner


# Unsupported objects -----------------------------------------------------------------------------


def plain_object(tf):
    return object()


def tensor(tf):
    return tf.constant(1.0)


def partitioned_alone(tf):
    return tf.get_variable("p", [4, 2], partitioner=tf.fixed_size_partitioner(2))


def saver(tf):
    v = variable(tf)
    return tf.train.Saver([v])
