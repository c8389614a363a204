"""Dataset ops: trees of datasets behind variant handles, and iterators that pull elements through them.

The value of a dataset handle is a `Dataset` (`dataset_value`); `iterate(run, path)` returns an iterator over its
elements, whose `next()` returns a tuple of arrays, or None at the end. `run` lasts for one initialization of a graph
iterator: it owns the state of functions and shuffles, and the resources to close. Each transformation has a file
with these two classes and its op: `sequence_transformations` uses no functions, `function_datasets` does.
Datasets backed by array rows (`rows`) let downstream transformations work on row numbers instead of elements.
"""
