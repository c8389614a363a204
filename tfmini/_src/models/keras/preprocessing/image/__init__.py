"""`tf.keras.preprocessing.image`: images as arrays, random augmentation, batches.

`pillow_conversion` reads and writes images, `transforms` augments arrays, `numpy_array_iterator`,
`directory_iterator` and `dataframe_iterator` create batches, `image_data_generator` defines the settings.
"""
