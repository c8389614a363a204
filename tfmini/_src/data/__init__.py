"""`tf.data`: datasets and their iterators.

`dataset` defines the base class and its methods. Each kind of dataset is a class in
`source_datasets`, `unary_datasets` or `function_datasets` that adds the node of its op;
methods create it by its registered name (`registry`). The runtime is in `ops/datasets`. A new
transformation requires its op and two classes there (runtime dataset and iterator), a class here, and a
method or a function for `Dataset.apply`.
"""

# Dataset kinds, registered here for the methods of the base class.
from tfmini._src.data import (  # noqa: F401
    file_datasets,
    from_generator,
    function_datasets,
    source_datasets,
    unary_datasets,
)
