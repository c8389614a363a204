"""All-reduce training of Keras models: `horovod.tensorflow.keras` and `horovod.keras`.

The optimizer is in `distribute/horovod`; this package contains the callbacks and the modules that
programs import.
"""
