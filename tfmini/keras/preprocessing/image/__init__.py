"""`tf.keras.preprocessing.image`: pictures as arrays, distorted at random, in batches.

`pictures` reads and writes them, `transforms` distorts arrays, `iterators`, `files` and `frames` make batches,
`generator` has the settings of it all.
"""

from tfmini.keras.preprocessing.image.files import DirectoryIterator
from tfmini.keras.preprocessing.image.generator import ImageDataGenerator
from tfmini.keras.preprocessing.image.iterators import Iterator, NumpyArrayIterator
from tfmini.keras.preprocessing.image.pictures import (
    array_to_img,
    img_to_array,
    load_img,
    save_img,
)
from tfmini.keras.preprocessing.image.transforms import (
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
    random_brightness,
    random_channel_shift,
    random_rotation,
    random_shear,
    random_shift,
    random_zoom,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "DirectoryIterator",
    "ImageDataGenerator",
    "Iterator",
    "NumpyArrayIterator",
    "apply_affine_transform",
    "apply_brightness_shift",
    "apply_channel_shift",
    "array_to_img",
    "img_to_array",
    "load_img",
    "random_brightness",
    "random_channel_shift",
    "random_rotation",
    "random_shear",
    "random_shift",
    "random_zoom",
    "save_img",
]

_namespace(globals())
