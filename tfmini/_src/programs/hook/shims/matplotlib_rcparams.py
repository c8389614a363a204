"""Removed matplotlib settings: `rcParams["text.latex.unicode"] = True` is accepted without effect.

A LaTeX preamble may be a list of lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib
from cycler import cycler

from tfmini._src.programs.hook.warn_once import warn_once

_INEFFECTIVE_PARAMETERS = (
    *("animation.avconv_args", "animation.avconv_path", "animation.html_args", "axes.hold"),
    *("backend.qt4", "backend.qt5", "backend_fallback", "datapath", "examples.directory"),
    *(
        "keymap.all_axes",
        "legend.isaxes",
        "nbagg.transparent",
        "patch.xmargin",
        "path.effects.hold",
    ),
    *("pgf.debug", "plugins.directory", "savefig.frameon", "savefig.jpeg_quality"),
    *("svg.embed_char_paths", "svg.image_noscale", "text.dvipnghack", "text.latex.preview"),
    *("text.latex.unicode", "tk.pythoninspect", "verbose.fileo", "verbose.level"),
)
_PREAMBLES = ("pgf.preamble", "text.latex.preamble")


def _without_effect(name: str) -> Callable[[Any], Any]:
    def identity(value: Any) -> Any:
        warn_once(f"rcParams {name}", f"matplotlib's setting {name} was removed; it has no effect.")
        return value

    return identity


def _line_validator(name: str, validate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def join(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            text = f"matplotlib requires a string for {name}, no longer a list of lines."
            warn_once(f"rcParams {name}", text)
            value = "\n".join(value)
        return validate(value)

    return join


def _colors(value: Any) -> Any:
    text = "matplotlib's setting axes.color_cycle was removed; axes.prop_cycle replaces it."
    warn_once("rcParams axes.color_cycle", text)
    colors = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)
    matplotlib.rcParams["axes.prop_cycle"] = cycler(color=colors)
    return value


def _fallback(value: Any) -> Any:
    text = (
        "matplotlib's setting mathtext.fallback_to_cm was removed; mathtext.fallback replaces it."
    )
    warn_once("rcParams mathtext.fallback_to_cm", text)
    matplotlib.rcParams["mathtext.fallback"] = "cm" if value else None
    return value


def add() -> None:
    """Registers the settings with matplotlib."""
    validators = matplotlib.RcParams.validate
    for name in _INEFFECTIVE_PARAMETERS:
        validators.setdefault(name, _without_effect(name))
    for name in _PREAMBLES:
        validators[name] = _line_validator(name, validators[name])
    validators.setdefault("axes.color_cycle", _colors)
    validators.setdefault("mathtext.fallback_to_cm", _fallback)
