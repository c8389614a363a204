"""Event files: the event queue, writers, and plugin assets."""
