"""SavedModels of objects: everything reachable from a root and its functions, as written by `tf.saved_model.save`.

object_view        the objects of a root, and their functions, numbered
signatures         functions as signatures, which sessions serve
exported_graph     the graph of the MetaGraphDef: variables, tables and signatures for sessions
save               `tf.saved_model.save`
restored_functions functions of the library of a SavedModel
load               `tf.saved_model.load_v2`
load_first_version the same of graphs without objects, as TensorFlow 1 writes them
revived_types      identifiers of the kinds of objects
"""
