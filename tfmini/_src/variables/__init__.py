"""Variables: what `tf.Variable` and `tf.get_variable` make, and how they are named, shared and
initialised.

    variable             the class that programs see, with its operators; making one asks the
    creators modes                how copies of a variable on several devices are kept in step
    initial_values       initial values that depend on other variables
    ref_variable         the default kind: a node that holds the value, and nodes that read and set
      it
    resource_variable    the kind of `use_resource=True`: a handle, and nodes that read and set
    through it creation             which kind a call makes, and `variable_creator_scope`
    store, shared        `get_variable`: the variables of a graph by name; `variable_scope`
    slicing, partitioned a large variable as several smaller ones
    initializers ...     what gives a variable its first value
    collections            lists of variables, and the ops that initialise and check them
    template             a function whose variables are shared by its calls

May import `ops` and what is below; other levels know a variable by what it offers (`value()`,
`_as_graph_element`, `sparse_read`), not by its class.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
