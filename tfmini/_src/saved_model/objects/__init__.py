"""Object-based SavedModels: the objects and functions reachable from a root, written by `tf.saved_model.save`.

object_view        numbered objects and functions reachable from a root
signatures         functions as signatures for sessions
exported_graph     the graph of the MetaGraphDef: variables, tables and signatures for sessions
save               `tf.saved_model.save`
restored_functions functions of a SavedModel's library
load               `tf.saved_model.load_v2`
load_first_version loads TensorFlow 1 graphs without objects
revived_types      identifiers of object types
"""
