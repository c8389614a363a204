"""Conversion of functions with errors, names, one-line lambdas, strings and datasets."""

import linecache
import re
import types
from pathlib import Path

import pytest

import tfmini as tf
from tfmini._src.autograph.errors import ConversionError
from tfmini._src.autograph.verbosity import _Verbosity
from tfmini._src.graph.autograph_status import python_loops


def reason():
    try:
        raise KeyError("first")
    except KeyError as error:
        raise OSError("second") from error


def test_error_keeps_cause():
    with tf.Graph().as_default():
        with pytest.raises(OSError, match="^second$") as caught:
            tf.autograph.to_graph(reason)()
    assert isinstance(caught.value.__cause__, KeyError)


def test_unconverted_function_keeps_name():
    wrapped = tf.autograph.experimental.do_not_convert(reason)
    assert wrapped.__name__ == "reason" and wrapped.__wrapped__ is reason


# fmt: off
ALIKE = [lambda x: x + 1, lambda x: x + 1]
NUMBERS = [lambda x: x + 1, lambda x: x + 2]
NAMES = [lambda x: tf.square(x), lambda x: tf.negative(x)]
# fmt: on


@pytest.mark.parametrize("name", ["numpy_helpers", "tensorflow_models", "wrapt2.inner"])
def test_module_with_library_name_prefix_is_converted(name):
    module = types.ModuleType(name)
    source = "def doubled(x):\n    if x > 0:\n        x = x * 2\n    return x\n"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    exec(compile(source, name, "exec"), module.__dict__)
    called = tf.function(lambda x: module.doubled(x))
    with tf.Session() as session:
        found = session.run([called(tf.constant(3)), called(tf.constant(-3))])
    linecache.cache.pop(name)
    assert found == [6, -3]


def test_equivalent_lambdas_on_one_line():
    with tf.Graph().as_default(), tf.Session() as session:
        created = [tf.function(one)(tf.constant(index)) for index, one in enumerate(ALIKE)]
        assert session.run(created) == [1, 2]


@pytest.mark.parametrize("functions, expected", [(NUMBERS, [4, 5]), (NAMES, [9, -3])])
def test_different_lambdas_on_one_line(functions, expected):
    with tf.Graph().as_default(), tf.Session() as session:
        created = [tf.autograph.to_graph(one)(tf.constant(3)) for one in functions]
        assert session.run(created) == expected


def test_python_while_hits_iteration_limit(monkeypatch):
    def endless(n):
        while True:
            n.append(1)

    monkeypatch.setattr(python_loops, "max_iterations", 100)
    steps = []
    with tf.Graph().as_default(), pytest.raises(ValueError, match="iteration limit exceeded"):
        tf.autograph.to_graph(endless)(steps)
    assert len(steps) == 102  # in TensorFlow too


def without_a_source(text):
    """A function without source, which cannot be converted."""
    made = {}
    exec(f"def function(x):\n    {text}", {"reason": reason}, made)
    return made["function"]


def test_unconvertible_dataset_function_runs_as_is(caplog):
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.range(3)
        mapped = dataset.map(without_a_source("return x + 1"))
        assert tf.data.get_output_types(mapped) == tf.int64
        with pytest.raises(OSError, match="^second$") as caught:
            dataset.map(without_a_source("reason()"))
    assert isinstance(caught.value.__cause__, KeyError)
    assert not caplog.text


@pytest.mark.parametrize("said", [[], ["Converted call"], ["Converted call", "Whitelisted"]])
def test_verbosity_logs_converted_calls(capsys, monkeypatch, said):
    for name in ("level", "prints"):  # as they were, after the test
        monkeypatch.setattr(_Verbosity, name, None)
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "2")
    tf.autograph.set_verbosity(len(said), alsologtostdout=True)
    tf.autograph.to_graph(lambda x: (NUMBERS[0](x), re.escape("a")))(1)
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == said


def test_deleted_variable_is_undefined():
    def chosen(n):
        value = n
        del value
        for each in range(n):
            if each > 3:
                value = each
        return value

    assert tf.autograph.to_graph(chosen)(7) == 6
    assert type(tf.autograph.to_graph(chosen)(0)).__name__ == "Undefined"  # in TensorFlow too


def test_dataset_loop_without_variables(capfd):
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


def test_missing_lambda_source_is_reported():
    """The error shows the line at its supposed location."""
    made = eval(compile("lambda unusual: unusual", __file__, "eval"))
    first = Path(__file__).read_text().splitlines()[0]
    text = f"Unable to identify source code of lambda function .* on this line: {re.escape(first)}"
    with pytest.raises(ConversionError, match=text):
        tf.autograph.to_graph(made)


def test_equal_lambdas_on_one_line_are_converted():
    """TensorFlow rejects them, although their code is identical."""
    first, second = (lambda x: x if x > 0 else -x), (lambda x: x if x > 0 else -x)
    with tf.Graph().as_default(), tf.Session() as session:
        created = [tf.autograph.to_graph(each)(tf.constant(-3)) for each in (first, second)]
        assert session.run(created) == [3, 3]


def _doubled_if_positive(x):
    if x > 0:
        return x * 2
    return x


def _called(x):
    return _doubled_if_positive(x)


def test_recursive_controls_called_functions():
    x = tf.constant(3)
    assert tf.autograph.to_graph(_called)(x).op.type == "Merge"
    with pytest.raises(TypeError, match="AutoGraph did not convert"):
        tf.autograph.to_graph(_called, recursive=False)(x)
