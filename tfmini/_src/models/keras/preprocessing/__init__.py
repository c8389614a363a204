"""`tf.keras.preprocessing`: conversion of sequences, text and images to arrays.

`sequence` pads sequences and creates skip-grams and windows, `text` maps words to indices, `image` reads,
augments and batches images.
"""
