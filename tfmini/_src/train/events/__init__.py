"""Event files: queue, writer, plugin assets."""
