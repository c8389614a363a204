"""Datasets as ops: trees of values of dtype variant, the iterators that pull elements through them.

The value of a dataset's handle is a `Dataset` (`dataset_value`); `iterate(run, path)` gives an iterator over its
elements, whose `next()` gives a tuple of arrays, or None at the end. `run` is one life of an iterator of the graph:
the state of functions and of shuffles, and what is to be closed. A transformation is a file of the two classes and
its op: see `repeat_take_zip` for one without functions, `map_filter_reduce` for one with. What gives rows of arrays
(`rows`) lets those after it work on the numbers of rows in place of elements.
"""
