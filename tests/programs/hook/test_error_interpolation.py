"""`tensorflow.python.framework.error_interpolation`: program lines in place of message tags."""

import re

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        one = tf.constant(1, name="One")
        with graph.colocate_with(one.op), tf.device("/cpu"), tf.device(lambda op: "/cpu:*"):
            two = tf.constant(2, name="Two")
        tf.add(one, two, name="Sum")
        yield graph


def test_interpolation_reports_node_lines(graph):
    from tensorflow.python.framework.error_interpolation import interpolate

    text = interpolate("a {{node Sum}}b {{function_node f}}{{node Gone}} c", graph)
    pattern = r"\(defined at \S*test_error_interpolation.py:\d+\)"
    assert re.fullmatch(
        rf"a node Sum {pattern} b {{{{node Gone}}}} c\n\nErrors may have originated from an input operation.\n"
        rf"Input Source operations connected to node Sum:\n One {pattern}\t\n Two {pattern}",
        text,
    )
    assert interpolate("nothing to do", graph) == "nothing to do"


def test_interpolation_reports_enclosing_scopes(graph):
    from tensorflow.python.framework.error_interpolation import interpolate

    text = interpolate("{{colocation_node Two}}", graph)
    assert text.count("with tf.device(/cpu): <") == 2
    assert text.count(f"with tf.colocate_with(One): <{__file__}:") == 1
    assert text.count("placed on device Device assignments active during op 'Two' creation:") == 1
    none = interpolate("{{colocation_node One}}", graph)
    assert "No node-device colocations were active during op 'One' creation." in none
    assert "No device assignments were active during op 'One' creation." in none


def test_message_tags_are_parsed():
    from tensorflow.python.framework.error_interpolation import parse_message

    texts, tags = parse_message("1{{node Foo}}2{{node a/b-c}}")
    assert (texts, [tuple(tag) for tag in tags]) == (
        ["1", "2", ""],
        [("node", "Foo"), ("node", "a/b-c")],
    )


def test_debug_info_holds_traces(graph):
    from tensorflow.python.framework.error_interpolation import create_graph_debug_info_def

    created = create_graph_debug_info_def([("", op) for op in graph.get_operations()])
    assert sorted(created.traces) == ["One", "Sum", "Two"]
    line = created.traces["One"].file_line_cols
    assert __file__ in {created.files[at.file_index] for at in line}
