"""The masters of this process, by target: sessions here call them without a message on the wire."""

from __future__ import annotations

from typing import Any

LOCAL: dict[str, Any] = {}
