"""tf.data: datasets, which are read step by step, and their iterators.

`dataset` has the base class with its methods; a kind of dataset is a class in `from_tensors_range_zip`,
`batch_shuffle_repeat` or `map_filter_interleave` that adds the node of its op and is registered by name (`registry`),
so that a method can make it. What runs stands in `ops/datasets`. A new transformation is: its op and its two classes
there (the dataset of a run, its iterator); a class here; and a method, or a function that `Dataset.apply` takes.
"""

# Kinds of datasets: each registers itself for the methods of the base class.
from tfmini._src.data import (  # noqa: F401
    batch_shuffle_repeat,
    from_generator,
    from_tensors_range_zip,
    map_filter_interleave,
    text_line_tf_record,
)
