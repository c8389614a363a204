"""Pages that `ci/check docs` generates from the code: docstrings as Markdown, one page per namespace."""

import re

import pytest

from ci.commands.site.api_pages import Reference, command_line, raw_ops
from ci.commands.site.docstrings import markdown, summary


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference()


def test_docstring_sections_become_lists_and_code() -> None:
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


def test_inline_section_text_is_kept() -> None:
    assert markdown("Example: `f(1)` is 2.").strip() == "**Example** `f(1)` is 2."


def test_summary_is_one_table_line() -> None:
    assert summary("a |\nb\n\nc") == r"a \| b"
    assert summary(None) == ""


def test_public_names_have_one_row_and_entry(reference: Reference) -> None:
    rows, entries = 0, []
    for space in reference.pages:
        page = "\n".join(reference.page(space))
        rows += len(re.findall(r"^\| [{\[`]", page, re.MULTILINE))
        entries += re.findall(r"^`{6}\{py:(?:class|function)\} (tf[\w.]*)", page, re.MULTILINE)
    assert rows == len(reference.values)
    assert len(entries) == len(set(entries)) == len(reference.home)
    assert {"tf.Session", "tf.nn.conv2d", "tf.train.AdamOptimizer"} <= set(entries)


def test_class_lists_members_of_private_bases(reference: Reference) -> None:
    page = "\n".join(reference.page("tf"))
    session = page.split("{py:class} tf.Session(")[1].split("{py:class}")[0]
    assert "{py:method} run(fetches, feed_dict=None" in session


def test_defaults_are_formatted_as_source(reference: Reference) -> None:
    page = "\n".join(reference.page("tf"))
    assert "{py:function} tf.zeros(shape, dtype=tf.float32, name=None)" in page


def test_docstring_names_become_references(reference: Reference) -> None:
    assert reference.link("tf.linalg.matmul") == "{py:obj}`tf.linalg.matmul <tf.matmul>`"
    assert reference.link("x + y") == "`x + y`"


def test_command_line_page_lists_commands() -> None:
    page = "\n".join(command_line())
    assert re.findall(r"^## tfmini(.*)", page, re.MULTILINE) == [
        "",
        *(" alias", " check", " devices", " export", " inspect", " launch", " run", " serve"),
    ]
    assert "--profile" in page


def test_raw_ops_page_shows_signatures() -> None:
    assert any("tf.raw_ops.MatMul(a, b, transpose_a=False" in line for line in raw_ops())
