"""Text sizes in pixels, as measured by Pillow before version 10."""

from __future__ import annotations

from typing import Any


def textsize(draw: Any, text: Any, font: Any = None, spacing: int = 4, **options: Any) -> tuple:
    """Returns the (width, height) of a possibly multi-line text, from its origin to its far corner."""
    if "\n" in text:
        box = draw.multiline_textbbox((0, 0), text, font, spacing=spacing, **options)
    else:
        box = draw.textbbox((0, 0), text, font, **options)
    return int(box[2]), int(box[3])


def getsize(font: Any, text: Any, *args: Any, **options: Any) -> tuple:
    """Returns the (width, height) of a line of text in this font, from its origin to its far corner."""
    box = font.getbbox(text, *args, **options)
    return int(box[2]), int(box[3])
