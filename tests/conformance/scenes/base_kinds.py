"""Shapes, sizes, dtypes and errors: results and rejections of each method, equality, copying and printing."""

import copy
import pickle
import warnings

import numpy as np


def sizes(tf, stage):
    dimension = tf.Dimension
    for value in (-1, 1.5, "a", "-2", tf.float32, np.float32(0.5), "2.0"):
        with stage.failing():
            stage.say(repr(dimension(value)))
    two, seven, unknown = dimension(2), dimension(7), dimension(None)
    operators = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: a // b,
        "%": lambda a, b: a % b,
        "/": lambda a, b: a / b,
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        "assert": lambda a, b: a.assert_is_compatible_with(b),
        "merge": lambda a, b: a.merge_with(b),
    }
    pairs = [
        *((two, seven), (seven, two), (seven, 2), (7, two), (two, two), (seven, None)),
        *((None, seven), (unknown, seven), (seven, unknown), (unknown, unknown), (unknown, 3)),
        *((3, unknown), (0, seven), (unknown, 0), (seven, -1)),
        *((seven, "2"), ("7", two), (seven, "x"), (seven, 2.0), (2.5, seven), (seven, 2.5)),
        (seven, tf.int32),
    ]
    for name, operator in operators.items():
        stage.say(name)
        for a, b in pairs:
            if isinstance(a, dimension) or name in "+-*//%==!=<=>=":
                with stage.failing():
                    stage.say(repr(a), repr(b), repr(operator(a, b)))
    stage.say(str(two), str(unknown), two.value, unknown.value, int(two), [1, 2, 3][two])
    stage.attempts(lambda: int(unknown), lambda: [1][unknown])
    for copied in (copy.deepcopy(seven), pickle.loads(pickle.dumps(unknown)), dimension(two)):
        stage.say(repr(copied), copied is two)
    given = tf.dimension_value, tf.compat.dimension_value
    stage.say([f(x) for f in given for x in (two, unknown, 4, None, "a", 1.5)])


_SHAPES = (
    None, [], [2], [2, 3], [None, 3], [2, None], [None, None], [3, 2], [2, 3, 4], [0], 5,
)  # fmt: skip


def shapes_in_pairs(tf, stage):
    shape = tf.TensorShape
    methods = (
        *("merge_with", "concatenate", "assert_same_rank", "is_compatible_with"),
        *("assert_is_compatible_with", "most_specific_compatible_shape"),
        *("__eq__", "__ne__", "__add__", "__radd__"),
    )
    for name in methods:
        stage.say(name)
        for a in _SHAPES:
            for b in _SHAPES[:8] if a else _SHAPES:
                with stage.failing():
                    stage.say(str(a), str(b), str(getattr(shape(a), name)(b)))
    known = shape([2, None])
    stage.say(known == known, known != known, known.merge_with(known) == known)
    stage.attempts(lambda: shape([2]) == tf.float32, lambda: shape([2]) == {"a": 1})


def shapes_of_the_second_kind(tf, stage):
    made = tf.TensorShape([None, 3])
    tf.enable_v2_tensorshape()
    try:
        unknown, scalar = tf.TensorShape(None), tf.TensorShape([])
        stage.say(str(made), repr(made), made[0], made[1], list(made), made.dims, made[1:])
        stage.say(str(unknown), repr(unknown), unknown[0], unknown[1:], repr(scalar), scalar)
        stage.say(str(tf.TensorShape([None])), repr(tf.TensorShape([4])))
        stage.say(tf.placeholder(tf.float32, [None, 2]).shape)
        stage.attempt(tf.TensorShape([None, 3]).assert_is_compatible_with, [2, 4])
    finally:
        tf.disable_v2_tensorshape()
    stage.say(str(made), repr(made), repr(made[0]), list(made), repr(tf.TensorShape(None)[0]))


_NAMES = (
    *("float16", "float32", "float64", "bfloat16", "complex64", "complex128", "int8", "uint8"),
    *("uint16", "uint32", "uint64", "int16", "int32", "int64", "bool", "string", "qint8", "quint8"),
    *("qint16", "quint16", "qint32", "resource", "variant"),
)


def types(tf, stage):
    for name in _NAMES:
        for kind in (getattr(tf, name), getattr(tf, name)._as_ref):
            stage.say(kind.name, str(kind), repr(kind), kind.as_datatype_enum, hash(kind))
            stage.say(kind.base_dtype, kind.real_dtype, kind._is_ref_dtype, kind._as_ref)
            stage.say(
                [kind.is_bool, bool(kind.is_integer), kind.is_floating, kind.is_complex],
                [kind.is_quantized, bool(kind.is_unsigned), kind.is_numpy_compatible],
            )
            stage.attempt(lambda: kind.size)  # noqa: B023  called here
            if name != "bfloat16":
                stage.attempts(lambda: kind.limits)  # noqa: B023
                for end in ("min", "max"):
                    with stage.failing():
                        found = getattr(kind, end)
                        stage.say(end, type(found).__name__, found)
            stage.say(copy.deepcopy(kind) is kind, pickle.loads(pickle.dumps(kind)) is kind)
            stage.say(tf.as_dtype(kind.name) is kind, tf.DType(kind.as_datatype_enum) == kind)
    stage.say(tf.half is tf.float16, tf.double is tf.float64, sorted(map(str, tf.QUANTIZED_DTYPES)))


def types_compared(tf, stage):
    a, ref = tf.float32, tf.float32._as_ref
    others = (a, ref, tf.float64, "float32", "float", "float32_ref", np.float32, 1, 101, float)
    others += (np.dtype(np.float32), None, "nonsense", [], 1000, np.float64, object())
    for other in others:
        stage.say(a == other, a != other, ref == other)
        stage.attempts(
            lambda: ref.is_compatible_with(other)  # noqa: B023
        )
    values = (
        *(float, bool, object, int, str, complex, bytes, np.int64, np.intc, np.longlong, np.uint),
        *(np.str_, np.bytes_, np.bool_, np.object_, np.complex64, np.half, np.dtype("S3")),
        *(np.dtype("U5"), np.dtype("<i4"), np.dtype("f8"), np.dtype("O"), np.dtype("?")),
        *(1, 7, 23, 24, 0, 101, 123, 124, -1, "double", "half_ref", "int", "Float", "", None),
        *(tf.qint8.as_numpy_dtype, np.dtype("f16"), np.dtype([("a", "i4")]), np.datetime64),
        *(3.0, np.int32(3), np.zeros(2), "string", "str", "double_ref", "resource", "variant_ref"),
    )
    for value in values:
        with stage.failing():
            stage.say(tf.as_dtype(value).name)
    for value in (1, "3", 99, 120, 124, "a", 2.0):
        with stage.failing():
            stage.say(tf.DType(value))
    with stage.failing():
        a.is_nothing  # noqa: B018
    stage.say(len({tf.float32, tf.float64, tf.as_dtype("float"), ref}), tf.float32 in {ref: 1})


def errors(tf, stage):
    of, node = tf.errors, tf.NodeDef(name="n", op="NoOp")
    op = tf.no_op("made")
    for code in range(18):
        with stage.failing():
            kind = of.exception_type_from_error_code(code)
            error = kind(node, op, "text")
            stage.say(kind.__name__, error.error_code, error.message, error.op.name)
            stage.say(error.node_def.name, of.error_code_from_exception_type(kind), error.args)
            plain = kind(None, None, "line\nnext")
            stage.say(str(plain).replace("\n", "|"), plain.op, plain.node_def, repr(plain))
            again = pickle.loads(pickle.dumps(plain))
            stage.say(type(again).__name__, again.message, again.error_code)
            copied = copy.copy(kind(node, None, "more"))
            stage.say(copied.node_def.name, copied.message, isinstance(copied, tf.OpError))
            stage.say(kind(message="m", op=None, node_def=None).message)
    general = tf.OpError(None, None, "general", 5)
    stage.say(general.error_code, general, pickle.loads(pickle.dumps(general)).error_code)
    unknown = of.UnknownError(None, None, "text", 77)
    stage.say(unknown.error_code, pickle.loads(pickle.dumps(unknown)).error_code)
    for wrong in (ValueError, tf.OpError, None, 3):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stage.attempt(lambda: type(of.error_code_from_exception_type(wrong)).__name__)  # noqa: B023
            stage.say([str(each.message) for each in caught])
    stage.say([name for name in dir(of) if name.isupper()])
    stage.say([getattr(of, name) for name in dir(of) if name.isupper()])
    text = str(of.NotFoundError(None, op, "gone"))
    stage.say(text.split("\n")[:3], text.count("made"))
    with tf.get_default_graph()._original_op(op):
        later = tf.no_op("later")
    text = str(of.AbortedError(None, later, "gone"))
    stage.say([line for line in text.split("\n") if "orig" in line.lower()])
    stage.say("elided" in text)


def what_is_logged(tf, stage):
    log = tf.logging
    for name in ("debug", "info", "warn", "warning", "error", "fatal"):
        getattr(log, name)("%s of %d", name, 3)
        getattr(log, name)("100 %")
    stage.say(log.get_verbosity(), log.DEBUG, log.INFO, log.WARN, log.ERROR, log.FATAL)
    log.log(log.WARN, "a %s", "b")
    log.vlog(log.INFO, "a %s", "c")
    log.vlog(log.DEBUG, "a %s", "d")
    log.log_if(log.ERROR, "if %d", 1, 5)
    log.log_if(log.ERROR, "if %d", [], 5)
    log.TaskLevelStatusMessage("status")
    for turn in range(7):  # the only ones here: TensorFlow counts them per file
        log.log_every_n(log.INFO, "every third %d", 3, turn)
    for level in (log.ERROR, "INFO", 15, log.DEBUG):
        log.set_verbosity(level)
        stage.say(log.get_verbosity())
        for name in ("debug", "info", "warn", "error"):
            getattr(log, name)(name)
    stage.attempt(log.set_verbosity, "nonsense")
    log.set_verbosity(log.INFO)
    log.info("a value: %s", tf.float32)
    log.info({"a": 1})
    log.error("lines\nmore", exc_info=False)
