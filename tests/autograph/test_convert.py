"""Converted functions with errors, names, lambdas of one line, strings and datasets."""

import re
from pathlib import Path

import pytest

import tfmini as tf
from tfmini._src.autograph.errors import ConversionError
from tfmini._src.autograph.operators.lists import get_item


def reason():
    try:
        raise KeyError("first")
    except KeyError as error:
        raise OSError("second") from error


def test_an_error_keeps_its_cause():
    with tf.Graph().as_default():
        with pytest.raises(OSError, match="^second$") as caught:
            tf.autograph.to_graph(reason)()
    assert isinstance(caught.value.__cause__, KeyError)


def test_what_is_not_converted_keeps_its_name():
    wrapped = tf.autograph.experimental.do_not_convert(reason)
    assert wrapped.__name__ == "reason" and wrapped.__wrapped__ is reason


# fmt: off
ALIKE = [lambda x: x + 1, lambda x: x + 1]
# fmt: on


def test_lambdas_of_one_line_that_do_the_same():
    with tf.Graph().as_default(), tf.Session() as session:
        made = [tf.function(one)(tf.constant(number)) for number, one in enumerate(ALIKE)]
        assert session.run(made) == [1, 2]


def test_a_character_of_a_string_and_a_number():
    def number(text):
        return float(text)

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(get_item(tf.constant("abc"), 1)) == b"b"
        assert session.run(tf.function(number)(tf.constant("1.5"))) == 1.5


def test_a_loop_over_a_dataset_without_variables(capfd):
    def shown(dataset):
        for number in dataset:
            tf.print(number)

    with tf.Graph().as_default() as graph, tf.Session() as session:
        dataset = tf.data.Dataset.range(3)
        tf.autograph.to_graph(shown)(dataset)
        (reduce,) = [op for op in graph.get_operations() if op.type == "ReduceDataset"]
        session.run(reduce)
        consts = [op for op in graph.get_operations() if op.type == "Const"]
        unused = [op for op in consts if not op.outputs[0].consumers()]
        assert session.run(reduce.inputs[1]) == 0
        assert [session.run(op.outputs[0]) for op in unused] == [0]  # TensorFlow's graph has it
    assert capfd.readouterr().err.split() == ["0", "1", "2"]


def test_a_lambda_that_does_not_stand_in_its_file():
    """The text of the error has the line where it seems to stand."""
    made = eval(compile("lambda unusual: unusual", __file__, "eval"))
    first = Path(__file__).read_text().splitlines()[0]
    text = f"Unable to identify source code of lambda function .* on this line: {re.escape(first)}"
    with pytest.raises(ConversionError, match=text):
        tf.autograph.to_graph(made)
