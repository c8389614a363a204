"""The parts of a layer in a SavedModel: its metadata, lists of its children, and functions that call it."""
