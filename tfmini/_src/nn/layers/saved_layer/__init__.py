"""The parts of a layer in a SavedModel: its description, lists of its children, and functions that call it."""
