"""Event files as they are written: the queue, the writer, plugin assets."""
