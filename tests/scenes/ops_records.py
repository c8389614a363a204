"""Records read as tensors: examples, sequences of them, protocol buffers, tensors and JSON; what each refuses."""

import numpy as np
from google.protobuf import descriptor_pb2

from tests.scenes import unknown


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
        "values_twice": {
            "a": sparse("i", "v", tf.float32, 4),
            "b": sparse("i", "v", tf.string, 4),
        },
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
            lambda: parse(given, {"a": sparse("i", "v", tf.int64, 4)}),  # noqa: B023
            lambda: parse(given, None, {"a": fixed([], tf.int64)}),  # noqa: B023
            lambda: parse(given, None, {"a": sparse("i", "v", tf.int64, 4)}),  # noqa: B023
            lambda: parse(given, None, {"a": steps([], tf.int64, False, 7)}),  # noqa: B023
            lambda: parse(given, {"a": fixed([None], tf.int64)}),  # noqa: B023
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
            "fixed": each(lambda kind: fixed([2], kind), name="own"),
            "fixed_column": each(lambda kind: fixed([2, 1], kind)),
            "fixed_wrong": each(lambda kind: fixed([3], kind), keys="i", **named),
            "fixed_wrong_f": each(lambda kind: fixed([], kind), keys="f"),
            "fixed_wrong_s": each(lambda kind: fixed([1, 3], kind), keys="s", **named),
            "fixed_missing": lambda: parse(rows, {"w": fixed([1], tf.int64)}, **named),
            "fixed_absent": lambda: parse(rows, {"w": fixed([1], tf.int64, [8])}),
            "default_of_no_shape": lambda: parse(rows, {"w": fixed([1], tf.int64, 8)}),
            "default_of_rows": lambda: parse(
                few[:3], {"f": fixed([2, 2], tf.float32, [[1] * 2] * 2)}
            ),
            "default_word": lambda: parse(
                few[1:3], {"s": fixed([], tf.string, "none"), "i": var(tf.int64)}
            ),
            "default_tensor": lambda: parse(
                few[1:], {"q": fixed([2], tf.float32, tf.constant([1.0, 2.0]))}
            ),
            "default_of_other_shape": lambda: parse(
                few, {"q": fixed([2], tf.float32, tf.constant([1.0]))}
            ),
            "default_too_long": lambda: parse(few, {"q": fixed([2], tf.float32, [1.0, 2.0, 3.0])}),
            "default_of_other_kind": lambda: parse(few, {"q": fixed([], tf.int64, "a")}),
            "odd_key": lambda: parse(few, {"a b/c-?": fixed([], tf.int64, 3)}),
            "empty_fixed": lambda: parse(few[1:3], {"f": fixed([0], tf.float32)}),
            "kind": lambda: parse(rows, {"i": fixed([2], tf.float32)}, **named),
            "kind_of_sparse": lambda: parse(rows, {"s": var(tf.int64)}),
            "kind_of_second": lambda: parse([rows[0], _record(tf, i=[1.0])], {"i": var(tf.int64)}),
            "var": each(var, few, name="own"),
            "var_of_one": each(var, few[:1]),
            "var_of_none": each(var, few[1:3]),
            "steps": each(lambda kind: steps([], kind, True), few),
            "steps_of_two": lambda: parse(few, {"f": steps([2], tf.float32, True, -1.0)}, "own"),
            "steps_uneven": lambda: parse(few, {"i": steps([2], tf.int64, True)}),
            "steps_uneven_s": lambda: parse(
                few, {"s": steps([3, 1], tf.string, True)}, example_names=list("abcd")
            ),
            "steps_padded": lambda: parse(few, {"s": steps([], tf.string, True, "-")}),
            "steps_of_none": each(lambda kind: steps([2], kind, True), few[1:3]),
            "no_records": each(lambda kind: fixed([2], kind), []),
            "no_records_var": each(var, []),
            "no_records_steps": each(lambda kind: steps([2], kind, True), []),
            "names": each(lambda kind: fixed([2], kind), rows, "i", example_names=["one"]),
            "a_scalar": lambda: parse(rows[0], {"i": var(tf.int64)}),
            "broken": lambda: parse([rows[0], b"abc"], {"i": var(tf.int64)}),
            "of_unknown_shape": lambda: parse(
                unknown(tf)(np.array(rows, object)),
                {"i": fixed([2], tf.int64), "s": var(tf.string), "f": steps([], tf.float32, True)},
            ),
            "of_unknown_size": lambda: parse(
                unknown(tf, True)(np.array(rows, object)), {"i": fixed([2, 1], tf.int64)}
            ),
            "sparse": lambda: parse(rows, {"p": sparse("i", "f", tf.float32, 5)}),
            "sparse_and_parts": lambda: parse(
                rows,
                {"p": sparse("i", "f", tf.float32, 5), "f": var(tf.float32), "i": var(tf.int64)},
            ),
            "sparse_unsorted": lambda: parse(
                [_record(tf, i=[3, 1], f=[1.0, 2.0])], {"p": sparse(["i"], "f", tf.float32, [5])}
            ),
            "sparse_sorted": lambda: parse(
                [_record(tf, i=[3, 1], f=[1.0, 2.0])], {"p": sparse("i", "f", tf.float32, 5, True)}
            ),
            "sparse_uneven": lambda: parse(
                [_record(tf, i=[3], f=[1.0, 2.0])], {"p": sparse("i", "f", tf.float32, 5)}
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
    all_kinds = {
        "i": fixed([2], tf.int64),
        "f": var(tf.float32),
        "s": fixed([], tf.string),
        "q": fixed([2], tf.float32, [1.0, 2.0]),
        "n": steps([], tf.float32, True),
        "z": var(tf.string),
    }
    stage.each(
        {
            "plain": lambda: parse(one, all_kinds, "own"),
            "named": lambda: parse(one, all_kinds, "own", "called"),
            "named_sequence": lambda: parse(
                one, {"f": steps([3], tf.float32, True, 0.0)}, example_names="x"
            ),
            "of_any_rank": lambda: parse(unknown(tf)(np.array(one, object)), all_kinds),
            "of_any_rank_named": lambda: parse(
                unknown(tf)(np.array(one, object)),
                {"i": var(tf.int64)},
                None,
                unknown(tf)(np.array("x", object)),
            ),
            "a_vector": lambda: parse([one], {"i": var(tf.int64)}),
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
            "steps": lambda: parse(
                one, {"f": steps([], tf.float32, True), "i": steps([2, 1], tf.int64, True)}
            ),
            "steps_uneven": lambda: parse(one, {"f": steps([2], tf.float32, True)}),
            "broken": lambda: parse(b"abc", {"f": var(tf.float32)}),
            "empty": lambda: parse(b"", {"f": var(tf.float32), "q": fixed([], tf.string, "d")}),
            "default": lambda: parse(one, {"q": fixed([2], tf.float32, [1.0])}),
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
            "names": lambda: many([one], None, words, ["a", "b"]),
            "empty": lambda: single(b"", None, words),
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


_TYPES = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "fixed64": 6,
    "fixed32": 7,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "enum": 14,
    "sfixed32": 15,
    "sfixed64": 16,
    "sint32": 17,
    "sint64": 18,
}


def _descriptors():
    """Of a message with a field of each type, single and repeated, one packed, a nested and an extension."""
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="a.proto", package="p", syntax="proto2")
    kind = file.enum_type.add(name="E")
    kind.value.add(name="ZERO", number=0)
    kind.value.add(name="TWO", number=2)
    message = file.message_type.add(name="M")
    message.extension_range.add(start=500, end=600)
    for name, number in _TYPES.items():
        for label, start in ((1, 100), (3, 200)):
            field = message.field.add(name=f"{name}_{label}", number=start - number, label=label)
            field.type = number
            if number == 14:
                field.type_name = ".p.E"
    message.field.add(name="packed", number=40, label=3, type=17).options.packed = True
    message.field.add(name="nested", number=41, label=3, type=11, type_name=".p.M")
    message.field.add(name="seven", number=42, label=1, type=5, default_value="7")
    message.field.add(name="word", number=43, label=1, type=9, default_value="text")
    message.field.add(name="half", number=44, label=1, type=2, default_value="0.5")
    message.field.add(name="true", number=45, label=1, type=8, default_value="true")
    message.field.add(
        name="two", number=46, label=1, type=14, type_name=".p.E", default_value="TWO"
    )
    message.field.add(name="one", number=47, label=1, type=11, type_name=".p.M")
    other = files.file.add(name="b.proto", package="p", syntax="proto2", dependency=["a.proto"])
    other.extension.add(name="ext", number=501, label=1, type=5, extendee=".p.M")
    return b"bytes://" + files.SerializeToString(deterministic=True)


def _dtypes(tf):
    return {
        "double": tf.float64,
        "float": tf.float32,
        "int64": tf.int64,
        "uint64": tf.uint64,
        "int32": tf.int32,
        "fixed64": tf.uint64,
        "fixed32": tf.uint32,
        "bool": tf.bool,
        "string": tf.string,
        "bytes": tf.string,
        "uint32": tf.uint32,
        "enum": tf.int32,
        "sfixed32": tf.int32,
        "sfixed64": tf.int64,
        "sint32": tf.int32,
        "sint64": tf.int64,
    }


_VALUES = {
    "float": [1.5, -0.25],
    "double": [1e300, -0.1],
    "bool": [True, False],
    "string": ["a", ""],
    "bytes": [b"\xff", b"b"],
    "uint64": [2**64 - 1, 1],
    "fixed64": [2**63, 1],
    "uint32": [2**32 - 1, 1],
    "fixed32": [2**31, 1],
    "int64": [-(2**63), 1],
    "sfixed64": [2**63 - 1, -1],
    "sint64": [-(2**63), 2**63 - 1],
    "int32": [-(2**31), -1],
    "sfixed32": [-2, 2**31 - 1],
    "sint32": [-(2**31), 2**31 - 1],
    "enum": [2, 7],
}


def encoded_and_decoded(tf, stage):
    source, kinds = _descriptors(), _dtypes(tf)
    settings = {"message_type": "p.M", "descriptor_source": source}
    for label in (1, 3):
        names = [f"{name}_{label}" for name in kinds]
        values = []
        for name in kinds:
            given = _VALUES[name][: 1 if label == 1 else 2]
            values.append(tf.constant([given, given[::-1]], kinds[name]))
        # TensorFlow pads enums with anything.
        most = 1 if label == 1 else 2
        sizes = [[most if "enum" in name else 1 for name in names], [most] * len(names)]
        made = tf.io.encode_proto(sizes, values, names, name="own", **settings)
        back = tf.io.decode_proto(made, "p.M", names, list(kinds.values()), source, name="own")
        stage.say(made.shape, back.sizes.shape, [str(v.shape) for v in back.values])
        with tf.Session() as session:
            stage.say(session.run(made))
            found = session.run(back)
            stage.say(found.sizes)
            for name, value in zip(names, found.values):
                stage.say(name, value)
    wider = {
        "float": tf.float64,
        "int32": tf.int64,
        "uint32": tf.uint64,
        "fixed32": tf.uint64,
        "sfixed32": tf.int64,
        "sint32": tf.int64,
    }
    with tf.Session() as session:
        data = session.run(made)
        names = [name + "_3" for name in wider]
        found = tf.io.decode_proto(data, "p.M", names, list(wider.values()), source)
        stage.say(session.run(found))


def protocol_buffers(tf, stage):
    source = _descriptors()
    decode, encode = tf.io.decode_proto, tf.io.encode_proto
    version = tf.compat.v1.GraphDef().versions
    version.producer, version.min_consumer = 5, 3
    version.bad_consumers.extend([7, 8])
    data = version.SerializeToString()
    three, ints = ["producer", "min_consumer", "bad_consumers"], [tf.int32] * 3
    of_version = lambda x, names=three, kinds=ints, **k: decode(  # noqa: E731
        x, "tensorflow.VersionDef", names, kinds, **k
    )
    text = {"message_format": "text"}
    of_m = lambda x, names, kinds, **k: decode(  # noqa: E731
        x, "p.M", names, kinds, k.pop("descriptor_source", source), **k
    )
    put = lambda sizes, values, names, kind="tensorflow.VersionDef", **k: encode(  # noqa: E731
        sizes, values, names, kind, **k
    )
    # A nested message whose fields are in falling order, which a sanitized one is not.
    nested = b"\xca\x02\x06\xe8\x02\x01\xd0\x02\x05"
    stage.each(
        {
            "version": lambda: of_version([[data], [b""]]),
            "scalar": lambda: of_version(data),
            "none": lambda: of_version(np.zeros([0, 2], object)),
            "fed": lambda: of_version(unknown(tf)(np.array([data], object))),
            "fed_ranked": lambda: of_version(unknown(tf, True)(np.array([data], object))),
            "text": lambda: of_version(["producer: 4 bad_consumers: [1, 2]", ""], **text),
            "text_wrong": lambda: of_version(["producer: x"], **text),
            "format": lambda: of_version(data, message_format="xml"),
            "lengths": lambda: of_version(data, three, ints[:2]),
            "no_message": lambda: decode(data, "tensorflow.None", three, ints),
            "no_field": lambda: of_version(data, ["none"], [tf.int32]),
            "dtype": lambda: of_version(data, ["producer"], [tf.string]),
            "dtype_wide": lambda: of_version(data, ["producer"], [tf.int64]),
            "no_source": lambda: decode(data, "p.M", ["seven"], [tf.int32], "bytes://\xff\xff"),
            "no_file": lambda: decode(data, "p.M", ["seven"], [tf.int32], "/nowhere/file"),
            "cut": lambda: of_version([data[:-1]]),
            "cut_varint": lambda: of_version([b"\x08\xff"]),
            "twice": lambda: of_version([b"\x08\x01\x08\x02\x18\x05\x18\x06"]),
            "packed_ok": lambda: of_version([b"\x1a\x02\x05\x06"]),
            "unknown_field": lambda: of_version([b"\xa8\x06\x07\x08\x01"]),
            "defaults": lambda: of_m(
                [b""],
                ["seven", "word", "half", "true", "int32_1", "string_3", "one", "double_1"],
                [
                    tf.int32,
                    tf.string,
                    tf.float32,
                    tf.bool,
                    tf.int32,
                    tf.string,
                    tf.string,
                    tf.float64,
                ],
            ),
            "fewer": lambda: of_m(
                [b"", b"\xc2\x02\x02\x01\x02"], ["packed", "seven"], [tf.int32, tf.int32]
            ),
            "extension": lambda: of_m([b"\xa8\x1f\x09"], ["p.ext"], [tf.int32]),
            "extension_text": lambda: of_m(
                ["[p.ext]: 4 seven: 3"], ["p.ext", "seven"], [tf.int32] * 2, **text
            ),
            "nested": lambda: of_m([nested], ["nested"], [tf.string]),
            "sanitized": lambda: of_m([nested], ["nested"], [tf.string], sanitize=True),
            "in_number_order": lambda: put(
                [[1, 1, 2]], [[[3]], [[4]], [[5, 6]]], ["bad_consumers", "min_consumer", "producer"]
            ),
            "some": lambda: put(
                [[0, 1], [1, 0]],
                [[[3, 4], [5, 6]], [[7], [8]]],
                ["bad_consumers", "producer"],
                name="own",
            ),
            "more_than_there": lambda: put([[2]], [[[3]]], ["producer"]),
            "negative": lambda: put([[-1]], [[[3]]], ["producer"]),
            "sizes": lambda: put([[1, 1]], [[[3]]], ["producer"]),
            "sizes_of_two": lambda: put([[1], [1]], [[[3]]], ["producer"]),
            "fields": lambda: put([[1]], [[[3]]], ["producer", "min_consumer"]),
            "batches": lambda: put(
                [[1, 1]],
                [tf.constant([[3]]), unknown(tf)([[1], [2]])],
                ["producer", "min_consumer"],
            ),
            "batches_static": lambda: put(
                [[1, 1]], [[[3]], [[1], [2]]], ["producer", "min_consumer"]
            ),
            "put_dtype": lambda: put([[1]], [[["a"]]], ["producer"]),
            "put_field": lambda: put([[1]], [[[1]]], ["none"]),
            "put_message": lambda: put([[1]], [[[1]]], ["none"], "tensorflow.None"),
            "put_deep": lambda: put(
                np.ones([2, 1, 1], "i"), [np.ones([2, 1, 1], "i")], ["producer"]
            ),
            "put_rank": lambda: put([1], [[1]], ["producer"]),
            "put_fed": lambda: put(unknown(tf)([[1]]), [unknown(tf)([[1]])], ["producer"]),
            "put_none": lambda: put(np.zeros([0, 1], "i"), [np.zeros([0, 4], "i")], ["producer"]),
            "put_nested": lambda: put(
                [[1, 1]],
                [[[b"\x08\x01"]], [["w"]]],
                ["nested", "word"],
                "p.M",
                descriptor_source=source,
            ),
            "put_extension": lambda: put(
                [[1, 2]], [[[6]], [[-1, 2]]], ["p.ext", "packed"], "p.M", descriptor_source=source
            ),
        },
        graph="sum",
    )


def tensors(tf, stage):
    serialize, parse = tf.io.serialize_tensor, tf.io.parse_tensor
    kinds = [
        tf.float16,
        tf.float64,
        tf.int8,
        tf.uint16,
        tf.int64,
        tf.bool,
        tf.complex64,
        tf.bfloat16,
    ]
    x = tf.constant([[1, 0]])
    made = tf.make_tensor_proto([1.0, 2.0], shape=[3])
    message = made.SerializeToString()
    there_and_back = lambda t, kind: parse(serialize(t), kind)  # noqa: E731
    stage.each(
        {
            "kinds": lambda: [serialize(tf.cast(x, kind)) for kind in kinds],
            "back": lambda: [there_and_back(tf.cast(x, kind), kind) for kind in kinds[:-1]],
            "words": lambda: [
                serialize(["a", b"\xff"], "own"),
                there_and_back([["a", ""]], tf.string),
            ],
            "empty": lambda: [
                serialize(tf.zeros([0, 2])),
                there_and_back(tf.zeros([0, 2]), tf.float32),
            ],
            "scalar": lambda: there_and_back(2**62, tf.int64),
            "quantized": lambda: serialize(tf.cast(x, tf.qint8)),
            "other": lambda: there_and_back(1.0, tf.int32),
            "no_message": lambda: parse(b"abc", tf.int32, "own"),
            "nothing": lambda: parse(b"", tf.int32),
            "a_vector": lambda: parse(serialize([1])[None], tf.int32),
            "a_vector_fed": lambda: parse(unknown(tf)(np.array([message], object)), tf.float32),
            "repeated": lambda: parse(message, tf.float32),
            "json": lambda: tf.io.decode_json_example(
                ['{"features": {"feature": {"a": {"int64List": {"value": [1, "2"]}}}}}', "{}"],
                "own",
            ),
            "json_floats": lambda: tf.io.decode_json_example(
                '{"features": {"feature": {"b": {"floatList": {"value": [1.5]}}, '
                '"a": {"bytesList": {"value": ["YQ=="]}}}}}'
            ),
            "json_scalar": lambda: tf.io.decode_json_example(unknown(tf)(np.array("{}", object))),
            "json_field": lambda: tf.io.decode_json_example('{"none": 1}'),
        },
        graph="sum",
    )
