"""Variables: the classes behind `tf.Variable` and `tf.get_variable`, and how they are named, shared and initialized.

    variable                               base class with the operators; construction goes through `variable_creator`
    copy_modes        synchronization modes of a variable's copies on several devices
    initial_values                         initial values that depend on other variables
    ref_variable                           the default kind: a node that contains the value
    resource_variable                      the kind for `use_resource=True`, accessed through a handle
    variable_creator                       picks the kind; `variable_creator_scope`
    store, get_variable, variable_scope    the variables of a graph by name
    save_slice_info, partitioned_variable  a large variable split into several smaller ones
    initializers ...                       initial values
    collections                            variable collections, and the ops that initialize and check them
    template                               a function whose calls share variables

May import `ops` and lower layers; other layers identify a variable by duck typing (`value()`,
`_as_graph_element`, `sparse_read`), not by its class.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
