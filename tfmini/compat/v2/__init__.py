"""`tf.compat.v2`, TensorFlow 1.15.5's preview of TensorFlow 2.0: its names, with arguments in the order of 2.0.

`module_names.txt.gz`, also read by the import hook, defines the names.
"""

from tfmini._src.programs.hook.v2_namespaces import install as _install

_install(__name__)
