"""All-reduce training of Keras models: `horovod.tensorflow.keras` and `horovod.keras`.

The optimizer is that of `distribute/horovod`; here are what programs import, and the callbacks.
"""
