"""tf.estimator.export: what a SavedModel of an Estimator takes and gives.

`serving_input_receiver` are its inputs, `export_output` its outputs with their signatures, `export_saved_model`
writes it.
"""
