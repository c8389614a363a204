"""SavedModels of objects: everything reachable from a root and its functions, as written by `tf.saved_model.save`.

object_view        the objects reachable from a root, and their functions, numbered
signatures         functions as signatures for sessions
exported_graph     the graph of the MetaGraphDef: variables, tables and signatures for sessions
save               `tf.saved_model.save`
restored_functions functions of a SavedModel's library
load               `tf.saved_model.load_v2`
load_first_version the same for graphs without objects, as written by TensorFlow 1
revived_types      identifiers of the kinds of objects
"""
