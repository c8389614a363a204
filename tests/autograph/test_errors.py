"""Errors of converted functions: TensorFlow's class and message, preceded by the program's lines."""

import pytest

import tfmini as tf


def in_one_branch(x):
    if x > 0:
        y = x
    return y


def undefined_before_a_loop(n):
    while n > 0:
        s = n
        n -= 1
    return s


def changes_its_dtype(n):
    s = 0
    while n > 0:
        s = tf.cast(s, tf.float32) + 1.5
        n -= 1
    return s


def grows(n):
    s = tf.zeros([1])
    while n > 0:
        s = tf.concat([s, s], 0)
        n -= 1
    return s


CASES = [
    (undefined_before_a_loop, ValueError, r"must be defined before the loop: \('s',\)"),
    (changes_its_dtype, TypeError, "dtype int32 before the loop, but dtype float32 after one"),
    (grows, ValueError, r'"s" has shape \(1,\) before the loop, but shape \(2,\) after one'),
]


@pytest.mark.parametrize(
    ("function", "error", "text"), CASES, ids=lambda case: getattr(case, "__name__", "")
)
def test_invalid_constructs(function, error, text):
    with tf.Graph().as_default(), pytest.raises(error, match=text) as raised:
        tf.function(function)(tf.placeholder(tf.int32, []))
    message = str(raised.value)
    assert message.startswith("in converted code:\n")
    assert f"{function.__code__.co_name}  *\n" in message


def test_errors_show_program_lines():
    def inner(x):
        return tf.matmul(x, x)  # the line

    class Layer(tf.keras.layers.Layer):
        def call(self, x):
            if tf.reduce_sum(x) > 0.0:
                x = inner(x)
            return x

    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="Dimensions must be equal") as raised,
    ):
        Layer()(tf.zeros([2, 3]))
    lines = [line.strip() for line in str(raised.value).split("\n")]
    assert "if tf.reduce_sum(x) > 0.0:" in lines
    assert "return tf.matmul(x, x)  # the line" in lines


def test_failing_node_names_converted_line():
    def divides(x):
        while x > 4:
            x = x // (x - x)  # the line
        return x

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(tf.autograph.to_graph(divides)(x), {x: 5})
    line = divides.__code__.co_firstlineno + 2
    assert f"test_errors.py:{line}" in str(raised.value)


def test_unconverted_calls_explain_the_error():
    def asks(x):
        return x if x > 0 else -x

    retained = tf.autograph.experimental.do_not_convert(asks)
    with tf.Graph().as_default():
        with pytest.raises(TypeError, match="is not allowed: AutoGraph is disabled"):
            tf.function(lambda x: retained(x))(tf.constant(1))
        with pytest.raises(TypeError, match="is not allowed: AutoGraph is disabled"):
            tf.data.Dataset.range(3).map(retained)
        with pytest.raises(TypeError, match="is not allowed in Graph execution"):
            asks(tf.constant(1))
        with pytest.raises(
            TypeError, match=r"^in converted code:\n+ +TypeError: tf__asks\(\) miss"
        ):
            tf.function(asks)()


def test_unconvertible_functions(caplog):
    names = {"tf": tf}
    exec(compile("def made(x):\n    return x if x > 0 else -x\n", "<made>", "exec"), names)

    def generates(x):
        yield x

    with tf.Graph().as_default():
        assert len(list(tf.autograph.to_graph(lambda x: generates(x))(1))) == 1
        with pytest.raises(TypeError, match="AutoGraph did not convert this function"):
            tf.function(names["made"])(tf.constant(1))
    said = caplog.text
    assert "appears to be a generator function" in said
    assert "could not be transformed and will be executed as-is" in said
    assert "Unable to locate the source code" in said
    with pytest.raises(NotImplementedError, match="Generators are not supported by AutoGraph"):
        tf.autograph.to_graph(generates)
    with pytest.raises(NotImplementedError, match="object conversion is not yet supported"):
        tf.autograph.to_graph(tf.Graph())


def test_generated_code():
    code = tf.autograph.to_code(in_one_branch)
    assert code.startswith("def tf__in_one_branch(x):\n")
    assert "ag__.if_stmt(x > 0, " in code
    compile(code, "code", "exec")
    assert tf.autograph.to_graph(in_one_branch).__name__ == "tf__in_one_branch"


def test_error_metadata_frames():
    """Innermost first, as in TensorFlow 1.15.5."""

    def fails(x):
        raise TypeError("none of tensors")

    def calls(x):
        return fails(x)

    with pytest.raises(TypeError, match="none of tensors") as caught:
        tf.function(calls)(tf.constant(1))
    known = caught.value.ag_error_metadata
    assert known.cause_message == "TypeError: none of tensors"
    assert [frame.function_name for frame in known.translated_stack] == ["fails", "calls"]
    assert all(frame.converted for frame in known.translated_stack)
    assert {frame.filename for frame in known.translated_stack} == {__file__}
