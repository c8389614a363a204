"""Pages that `ci/check docs` generates from the code: docstrings as Markdown, one page per namespace."""

import re

import pytest

from ci.commands.site.api_pages import Reference, command_line, raw_ops
from ci.commands.site.docstrings import markdown, summary


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference()


def test_sections_of_a_docstring_are_lists_and_code() -> None:
    text = "Sums x[i] of `x`.\n\nArgs:\n  x: a tensor\n    of *any* rank.\n\nExample:\n  f(x)\n"
    assert [line for line in markdown(text).split("\n") if line] == [
        r"Sums x\[i\] of `x`.",
        "**Args**",
        "- `x`: a tensor",
        r"  of \*any\* rank.",
        "**Example**",
        "```python",
        "f(x)",
        "```",
    ]


def test_what_follows_on_the_line_of_a_section_stays_there() -> None:
    assert markdown("Example: `f(1)` is 2.").strip() == "**Example** `f(1)` is 2."


def test_a_summary_is_one_line_of_a_table() -> None:
    assert summary("a |\nb\n\nc") == r"a \| b"
    assert summary(None) == ""


def test_each_public_name_has_a_row_and_each_object_one_entry(reference: Reference) -> None:
    rows, entries = 0, []
    for space in reference.pages:
        page = "\n".join(reference.page(space))
        rows += len(re.findall(r"^\| [{\[`]", page, re.MULTILINE))
        entries += re.findall(r"^`{6}\{py:(?:class|function)\} (tf[\w.]*)", page, re.MULTILINE)
    assert rows == len(reference.values)
    assert len(entries) == len(set(entries)) == len(reference.home)
    assert {"tf.Session", "tf.nn.conv2d", "tf.train.AdamOptimizer"} <= set(entries)


def test_a_class_shows_members_of_bases_without_a_public_name(reference: Reference) -> None:
    page = "\n".join(reference.page("tf"))
    session = page.split("{py:class} tf.Session(")[1].split("{py:class}")[0]
    assert "{py:method} run(fetches, feed_dict=None" in session


def test_a_default_is_written_as_in_a_program(reference: Reference) -> None:
    page = "\n".join(reference.page("tf"))
    assert "{py:function} tf.zeros(shape, dtype=tf.float32, name=None)" in page


def test_a_public_name_in_a_docstring_is_a_reference(reference: Reference) -> None:
    assert reference.link("tf.linalg.matmul") == "{py:obj}`tf.linalg.matmul <tf.matmul>`"
    assert reference.link("x + y") == "`x + y`"


def test_the_command_line_shows_each_command() -> None:
    page = "\n".join(command_line())
    assert re.findall(r"^## tfmini(.*)", page, re.MULTILINE) == [
        "",
        *(" alias", " check", " devices", " export", " inspect", " launch", " run", " serve"),
    ]
    assert "--profile" in page


def test_raw_ops_have_their_signatures() -> None:
    assert any("tf.raw_ops.MatMul(a, b, transpose_a=False" in line for line in raw_ops())
