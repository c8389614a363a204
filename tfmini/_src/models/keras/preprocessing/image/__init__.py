"""`tf.keras.preprocessing.image`: pictures as arrays, augmented at random, in batches.

`load_img_and_array_to_img` reads and writes them, `transforms` distorts arrays, `numpy_array_iterator`,
`directory_iterator` and `dataframe_iterator` make batches, `image_data_generator` has the settings of it all.
"""
