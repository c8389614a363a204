"""Masters of this process, by target: local sessions call them directly, without messages."""

from __future__ import annotations

from typing import Any

LOCAL: dict[str, Any] = {}
