"""tf.estimator.export: inputs and outputs of an Estimator's SavedModel.

`serving_input_receiver` defines inputs, `export_output` outputs and signatures; `export_saved_model`
writes the SavedModel.
"""
