"""Strings split into words, bytes, characters and n-grams; characters joined into strings."""


def build(tf):
    text = tf.constant(["h\u00e9llo w", "", "x y z"], name="text")
    grid = tf.constant([["a b", "c"], ["d", "e f g"]], name="grid")
    words = tf.ragged.constant([["ab c", "d"], [], ["e"]])
    filled = tf.ragged.constant([["a", "b"], ["c"]])  # an empty row reads the preceding memory
    fed = tf.placeholder(tf.string, [], name="fed")

    def parts(*tensors):
        """The components of ragged tensors."""
        return [
            part
            for tensor in tensors
            for part in (
                [tensor]
                if isinstance(tensor, tf.Tensor)
                else [tensor.flat_values, *tensor.nested_row_splits]
            )
        ]

    strings = tf.strings
    split = parts(
        strings.split(text, result_type="RaggedTensor"),
        strings.split(grid, result_type="RaggedTensor"),
        strings.split(words, sep=" ", maxsplit=1, result_type="RaggedTensor"),
        strings.split(fed, result_type="RaggedTensor"),
        tf.string_split(text, result_type="RaggedTensor"),
        strings.bytes_split(text),
        strings.bytes_split(grid),
        strings.bytes_split(fed),
    )
    sparse = strings.split(grid)
    points = parts(
        strings.unicode_decode(text, "UTF-8"),
        strings.unicode_decode(fed, "UTF-8", errors="ignore"),
        strings.unicode_decode(grid, "UTF-8", replace_control_characters=True),
        *strings.unicode_decode_with_offsets(words, "UTF-8", name="with_places"),
        strings.unicode_split(text, "UTF-8"),
        *strings.unicode_split_with_offsets(fed, "UTF-8"),
        strings.unicode_encode([72, 105], "UTF-8"),
        strings.unicode_encode([[72, 105], [33, -1]], "UTF-16-BE"),
        strings.unicode_encode(strings.unicode_decode(words, "UTF-8"), "UTF-8"),
        strings.unicode_encode([[[72], [105]]], "UTF-8", errors="ignore"),
    )
    joined = parts(
        strings.ngrams(grid, 2),
        strings.ngrams(filled, [1, 2], separator="-", pad_values=("<", ">")),
        strings.ngrams(filled, 3, pad_values="_", padding_width=1),
        strings.ngrams(words, 4, preserve_short_sequences=True),
        strings.ngrams(["a", "b", "c"], 2, name="row"),
    )
    return {
        "steps": [
            ("split", split, {fed: "one two"}),
            ("sparse", list(sparse._to_components())),
            ("points", points, {fed: b"h\xc3\xa9\xff!"}),
            ("joined", joined),
        ]
    }
