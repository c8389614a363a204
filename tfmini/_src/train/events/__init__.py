"""Writing of event files: the queue, the writer, plugin assets."""
