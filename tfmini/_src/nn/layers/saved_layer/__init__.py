"""The parts of a layer in a SavedModel: its description, lists of what it holds, and functions that call it."""
