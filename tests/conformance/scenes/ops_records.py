"""Records parsed to tensors: Examples and SequenceExamples, their features, and errors."""

import numpy as np

from tests.conformance.scenes import unknown


def _feature(tf, values):
    train = tf.train
    if values is None:
        return train.Feature()
    if isinstance(values, str):  # a list without values, by its kind
        return train.Feature(**{values: getattr(train, _LISTS[values])()})
    if isinstance(values[0], bytes):
        return train.Feature(bytes_list=train.BytesList(value=values))
    if isinstance(values[0], float):
        return train.Feature(float_list=train.FloatList(value=values))
    return train.Feature(int64_list=train.Int64List(value=values))


_LISTS = {"bytes_list": "BytesList", "float_list": "FloatList", "int64_list": "Int64List"}


def _features(tf, given):
    return tf.train.Features(feature={key: _feature(tf, values) for key, values in given.items()})


def _record(tf, **given):
    return tf.train.Example(features=_features(tf, given)).SerializeToString(deterministic=True)


def _sequence(tf, context, **lists):
    made = {
        key: tf.train.FeatureList(feature=[_feature(tf, values) for values in steps])
        for key, steps in lists.items()
    }
    message = tf.train.SequenceExample(
        context=_features(tf, context), feature_lists=tf.train.FeatureLists(feature_list=made)
    )
    return message.SerializeToString(deterministic=True)


def specs(tf, stage):
    fixed, steps = tf.FixedLenFeature, tf.FixedLenSequenceFeature
    sparse, var = tf.SparseFeature, tf.VarLenFeature
    stage.say(fixed([], tf.int64), fixed([2], tf.string, "a")._asdict())
    stage.say(steps([], tf.int64), steps([2], tf.string, True, "a")._asdict())
    stage.say(sparse("i", "v", tf.int64, 4), sparse("i", "v", tf.int64, 4, True)[4])
    stage.say(var(tf.int64), var(tf.int64) == var(tf.int64), hash(var(1)) == hash(var(1)))
    stage.say(fixed([2], tf.string) == fixed([2], tf.string, None), fixed([1], 1)._replace(shape=3))
    one = _record(tf, a=[1, 2])
    both = {"parse_example": [one], "parse_single_example": one}
    wrong = {
        "none": {},
        "other": {"a": 3},
        "no_dtype": {"a": var(None)},
        "no_fixed_dtype": {"a": fixed([], None)},
        "no_shape": {"a": fixed(None, tf.int64)},
        "no_size": {"a": fixed([None], tf.int64)},
        "no_second_size": {"a": fixed([2, None], tf.int64)},
        "no_index": {"a": sparse("", "v", tf.int64, 4)},
        "no_values": {"a": sparse("i", "", tf.int64, 4)},
        "no_sparse_dtype": {"a": sparse("i", "v", None, 4)},
        "index_is_values": {"a": sparse("i", "i", tf.float32, 4)},
        "values_twice": {"a": sparse("i", "v", tf.float32, 4), "b": sparse("i", "v", tf.string, 4)},
        "both_ways": {"v": fixed([], tf.float32), "a": sparse("i", "v", tf.float32, 4)},
        "no_missing": {"a": steps([], tf.int64)},
        "other_dtype": {"a": fixed([], tf.int32)},
    }
    for function, given in both.items():
        for name, features in wrong.items():
            stage.say(function, name)
            stage.attempt(getattr(tf, function), given, features)
    single = tf.parse_single_sequence_example
    for parse, given in ((single, one), (tf.io.parse_sequence_example, [one])):
        stage.attempts(
            lambda: parse(given),  # noqa: B023  called here
            lambda: parse(given, {"a": steps([], tf.int64)}),  # noqa: B023
            lambda: parse(given, None, {"a": fixed([], tf.int64)}),  # noqa: B023
            lambda: parse(given, None, {"a": sparse("i", "v", tf.int64, 4)}),  # noqa: B023
            lambda: parse(given, None, {"a": steps([], tf.int64, False, 7)}),  # noqa: B023
        )


def examples(tf, stage):
    fixed, steps = tf.FixedLenFeature, tf.FixedLenSequenceFeature
    sparse, var = tf.SparseFeature, tf.VarLenFeature
    rows = [
        _record(tf, i=[1, 2], f=[0.5, 1.5], s=[b"a", b"\xff"], w=[3]),
        _record(tf, i=[3, 4], f=[2.5, 3.5], s=[b"", b"c"]),
    ]
    few = [
        _record(tf, i=[2**62], f=[1.0, 2.0, 3.0, 4.0], s=[b"x"]),
        _record(tf, i="int64_list", f=None, s="bytes_list"),
        _record(tf),
        _record(tf, i=[-1, 0, 5], f=[9.0, 8.0], s=[b"y", b"z", b""]),
    ]
    kinds = {"i": tf.int64, "f": tf.float32, "s": tf.string}
    parse = tf.parse_example

    def each(make, records=rows, keys="ifs", **options):
        return lambda: parse(records, {key: make(kinds[key]) for key in keys}, **options)

    named = {"example_names": ["one", "two"]}
    stage.each(
        {
            "fixed_wrong": each(lambda kind: fixed([3], kind), keys="i", **named),
            "fixed_wrong_f": each(lambda kind: fixed([], kind), keys="f"),
            "fixed_wrong_s": each(lambda kind: fixed([1, 3], kind), keys="s", **named),
            "fixed_missing": lambda: parse(rows, {"w": fixed([1], tf.int64)}, **named),
            "fixed_absent": lambda: parse(rows, {"w": fixed([1], tf.int64, [8])}),
            "default_of_rows": lambda: parse(
                few[:3], {"f": fixed([2, 2], tf.float32, [[1] * 2] * 2)}
            ),
            "default_word": lambda: parse(
                few[1:3], {"s": fixed([], tf.string, "none"), "i": var(tf.int64)}
            ),
            "default_of_other_shape": lambda: parse(
                few, {"q": fixed([2], tf.float32, tf.constant([1.0]))}
            ),
            "empty_fixed": lambda: parse(few[1:3], {"f": fixed([0], tf.float32)}),
            "kind": lambda: parse(rows, {"i": fixed([2], tf.float32)}, **named),
            "kind_of_sparse": lambda: parse(rows, {"s": var(tf.int64)}),
            "kind_of_second": lambda: parse([rows[0], _record(tf, i=[1.0])], {"i": var(tf.int64)}),
            "var": each(var, few, name="own"),
            "var_of_one": each(var, few[:1]),
            "steps_uneven": lambda: parse(few, {"i": steps([2], tf.int64, True)}),
            "steps_uneven_s": lambda: parse(
                few, {"s": steps([3, 1], tf.string, True)}, example_names=list("abcd")
            ),
            "no_records": each(lambda kind: fixed([2], kind), []),
            "no_records_var": each(var, []),
            "no_records_steps": each(lambda kind: steps([2], kind, True), []),
            "names": each(lambda kind: fixed([2], kind), rows, "i", example_names=["one"]),
            "a_scalar": lambda: parse(rows[0], {"i": var(tf.int64)}),
            "of_unknown_shape": lambda: parse(
                unknown(tf)(np.array(rows, object)),
                {"i": fixed([2], tf.int64), "s": var(tf.string), "f": steps([], tf.float32, True)},
            ),
            "of_unknown_size": lambda: parse(
                unknown(tf, True)(np.array(rows, object)), {"i": fixed([2, 1], tf.int64)}
            ),
            "sparse_and_parts": lambda: parse(
                rows,
                {"p": sparse("i", "f", tf.float32, 5), "f": var(tf.float32), "i": var(tf.int64)},
            ),
            "sparse_unsorted": lambda: parse(
                [_record(tf, i=[3, 1], f=[1.0, 2.0])], {"p": sparse(["i"], "f", tf.float32, [5])}
            ),
            "the_first_fault": lambda: parse(
                [_record(tf, a=[1], b=[1.0]), rows[0]],
                {"a": fixed([], tf.string), "b": fixed([2], tf.float32), "i": var(tf.int64)},
            ),
        },
        graph="sum",
    )


def single_examples(tf, stage):
    fixed, steps, var = tf.FixedLenFeature, tf.FixedLenSequenceFeature, tf.VarLenFeature
    parse = tf.parse_single_example
    one = _record(tf, i=[1, 2], f=[0.5, 1.5, 2.5], s=[b"a"], n="float_list", z=None)
    stage.each(
        {
            "a_vector_fed": lambda: parse(
                unknown(tf)(np.array([one], object)), {"i": var(tf.int64)}
            ),
            "a_vector_fed_named": lambda: parse(
                unknown(tf)(np.array([one], object)), {"i": var(tf.int64)}, example_names="x"
            ),
            "a_vector_named": lambda: parse([one], {"i": var(tf.int64)}, example_names="x"),
            "names_of_a_vector": lambda: parse(one, {"i": var(tf.int64)}, example_names=["x"]),
            "count": lambda: parse(one, {"i": fixed([3], tf.int64)}),
            "count_named": lambda: parse(one, {"i": fixed([3], tf.int64)}, example_names="x"),
            "missing": lambda: parse(one, {"q": fixed([3], tf.int64)}),
            "missing_named": lambda: parse(one, {"q": fixed([3], tf.int64)}, example_names="x"),
            "kind": lambda: parse(one, {"i": fixed([2], tf.float32)}),
            "kind_var": lambda: parse(one, {"i": var(tf.string)}),
            "steps_uneven": lambda: parse(one, {"f": steps([2], tf.float32, True)}),
            "broken": lambda: parse(b"abc", {"f": var(tf.float32)}),
        },
        graph="sum",
    )


def sequences(tf, stage):
    fixed, steps, var = tf.FixedLenFeature, tf.FixedLenSequenceFeature, tf.VarLenFeature
    context = {"i": [1, 2], "f": [0.5], "s": [b"a"]}
    one = _sequence(tf, context, l=[[1, 2], [3, 4]], w=[[b"a"], None, [b"b", b"c"]], x=[[1.0]])
    two = _sequence(tf, {"i": [3, 4]}, l=[[5, 6]], w=[], x=[[2.0], [3.0]])
    odd = _sequence(tf, {"i": [3.0]}, l=[[5, 6], [7]], w=[[b"a"], [1]], x=[[2.0], None])
    given = {
        "all": (
            {"i": fixed([2], tf.int64), "f": var(tf.float32)},
            {"l": steps([2], tf.int64), "w": var(tf.string)},
        ),
        "columns": (
            {"i": fixed([2, 1], tf.int64)},
            {"l": steps([2, 1], tf.int64), "x": steps([], tf.float32)},
        ),
        "defaults": (
            {"q": fixed([2], tf.float32, [1.0, 2.0]), "s": fixed([], tf.string, "none")},
            {"no": steps([2], tf.string, True), "none": var(tf.int64)},
        ),
        "default_tensor": ({"q": fixed([2], tf.float32, tf.constant([3.0, 4.0]))}, None),
        "default_of_one": ({"q": fixed([1], tf.float32, 3.0)}, None),
        "default_of_few": ({"q": fixed([2], tf.float32, tf.constant([3.0]))}, None),
        "odd_key": ({"a b?": fixed([], tf.int64, 3)}, None),
        "missing": ({"q": fixed([], tf.int64)}, None),
        "missing_list": (None, {"q": steps([], tf.int64)}),
        "kind": ({"i": fixed([2], tf.string)}, None),
        "kind_sparse": ({"i": var(tf.float32)}, None),
        "count": ({"i": fixed([], tf.int64)}, None),
        "count_s": ({"s": fixed([2], tf.string)}, None),
        "kind_list": (None, {"l": steps([2], tf.float32)}),
        "kind_list_sparse": (None, {"l": var(tf.string)}),
        "count_list": (None, {"l": steps([3], tf.int64)}),
        "count_list_s": (None, {"w": steps([1], tf.string)}),
        "both": ({"i": var(tf.int64)}, {"i": var(tf.int64), "w": var(tf.string)}),
    }
    single, many = tf.parse_single_sequence_example, tf.io.parse_sequence_example
    cases = {}
    for key, (features, lists) in given.items():
        cases[key] = lambda f=features, k=lists: single(one, f, k, name="own")
        cases["many_" + key] = lambda f=features, k=lists: many([one, two], f, k, name="own")
    for key in ("all", "count_list", "columns"):
        features, lists = given[key]
        cases["odd_" + key] = lambda f=features, k=lists: single(odd, f, k, "called")
        cases["odd_many_" + key] = lambda f=features, k=lists: many([one, odd], f, k, ["a", "b"])
    numbers, words = {"l": steps([2], tf.int64)}, {"w": var(tf.string)}
    stage.each(
        {
            **cases,
            "odd_words": lambda: single(odd, None, words, "called"),
            "odd_words_many": lambda: many([odd], None, words),
            "odd_x": lambda: single(odd, None, {"x": steps([], tf.float32)}),
            "odd_x_many": lambda: many([odd], None, {"x": steps([], tf.float32)}, ["n"]),
            "broken": lambda: single(b"abc", None, words, "called"),
            "broken_many": lambda: many([one, b"abc"], None, words, ["a", "b"]),
            "a_vector": lambda: single([one], None, words),
            "a_scalar": lambda: many(one, None, words),
            "empty_many": lambda: many([b"", b""], {"i": var(tf.int64)}, words),
            "no_records": lambda: many([], given["all"][0], {**numbers, **words}),
            "no_records_default": lambda: many(
                [], {"q": fixed([2], tf.float32, [1.0, 2.0])}, numbers
            ),
            "no_records_var": lambda: many([], {"i": var(tf.int64)}, words),
            "fed": lambda: many(
                unknown(tf)(np.array([one, two], object)), given["all"][0], {**numbers, **words}
            ),
            "fed_single": lambda: single(
                unknown(tf)(np.array(one, object)), given["all"][0], {**numbers, **words}
            ),
        },
        graph="sum",
    )
