"""`tf.keras.preprocessing.image`: images as arrays, with random augmentation, in batches.

`load_img_and_array_to_img` reads and writes images, `transforms` augments arrays, `numpy_array_iterator`,
`directory_iterator` and `dataframe_iterator` create batches, `image_data_generator` holds the settings.
"""
