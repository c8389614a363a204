"""tf.data: datasets, which are read step by step, and their iterators.

`dataset` has the base class with its methods; a kind of dataset is a class in `sources`, `transformations` or `mapped`
that adds the node of its op and is registered by name (`registry`), so that a method can make it. What runs stands in
`ops/datasets`. A new transformation is: its op and its two classes there (the dataset of a run, its iterator); a class
here; and a method, or a function that `Dataset.apply` takes.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
