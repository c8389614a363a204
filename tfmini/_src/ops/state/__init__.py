"""Variables as ops: references and resources, assignments, scattered updates, the rules of optimizers.

An update changes arrays in place under the cell's lock; families above read variables through these.
"""
