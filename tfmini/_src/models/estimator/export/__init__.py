"""tf.estimator.export: inputs and outputs of an Estimator's SavedModel.

`serving_input_receiver` defines its inputs, `export_output` its outputs with their signatures, `export_saved_model`
writes it.
"""
