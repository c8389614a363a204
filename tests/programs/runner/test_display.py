"""IPython's display functions without IPython installed."""

import importlib
import sys

import pytest

from tfmini._src.programs.runner import display


@pytest.fixture
def without_ipython(monkeypatch):
    """Removes IPython and its replacement."""
    for name in [each for each in sys.modules if each.partition(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(display.importlib.util, "find_spec", lambda name: None)
    yield
    for name in [each for each in sys.modules if each.partition(".")[0] == "IPython"]:
        del sys.modules[name]


def test_display_module_names(without_ipython, tmp_path, capsys):
    shell = object()
    display.supply(lambda: shell)
    package = importlib.import_module("IPython")
    shown = importlib.import_module("IPython.display")
    core = importlib.import_module("IPython.core.display")
    assert package.get_ipython() is shell and package.version_info == (8, 24, 0)
    assert package.display is package.core.display is shown is core
    assert (shown.__name__, package.core.__name__) == ("IPython.display", "IPython.core")
    kinds = {n for n, kind in vars(shown).items() if isinstance(kind, type)} - {"DisplayObject"}
    assert kinds == {
        *("Audio", "Code", "FileLink", "FileLinks", "GeoJSON", "HTML", "IFrame", "Image", "JSON"),
        *("Javascript", "Latex", "Markdown", "Math", "Pretty", "SVG", "Video", "VimeoVideo"),
        "YouTubeVideo",
    }
    for name in kinds:
        kind = getattr(shown, name)
        made = kind("text", width=3)
        assert isinstance(made, shown.DisplayObject) and kind.__module__ == "IPython.core.display"
        assert repr(made) == f"<IPython.core.display.{name} object>"
        assert (made.data, made.url, made.filename) == ("text", None, None)
    assert {n.partition("_")[2] for n in vars(shown) if n.startswith("display_")} == {
        *("html", "javascript", "jpeg", "json", "latex", "markdown", "pdf", "png", "pretty", "svg")
    }
    shown.display(shown.HTML("<b>"), "a", 3, raw=True)
    shown.display_png("b", metadata={})
    assert shown.clear_output(True) is shown.clear_output(wait=False) is None
    assert capsys.readouterr().out.splitlines() == [
        "<IPython.core.display.HTML object>",
        "'a'",
        "3",
        "'b'",
    ]
    file = tmp_path / "picture.png"
    file.write_bytes(b"\xff\x00")
    made = shown.Image(filename=str(file), url="there")
    assert (made.data, made.url, made.filename) == (b"\xff\x00", "there", str(file))
    assert shown.Image(None, "there").url == "there"
    with pytest.raises(FileNotFoundError, match="none.png"):
        shown.Image(filename=str(tmp_path / "none.png"))
    before = dict(sys.modules)
    display.supply(lambda: None)
    assert package.get_ipython() is shell and dict(sys.modules) == before


def test_installed_ipython_is_not_replaced(without_ipython, monkeypatch):
    monkeypatch.setattr(display.importlib.util, "find_spec", lambda name: name)
    display.supply(lambda: None)
    assert "IPython" not in sys.modules and "IPython.display" not in sys.modules
