"""String lengths, substrings, case and patterns, in bytes and in characters; hashes."""


def build(tf):
    fed = tf.placeholder(tf.string, name="fed")
    text = tf.constant(["Hello, World", "", "h\u00e9llo", " \t x\n"], name="text")
    position = tf.placeholder(tf.int32, [], name="position")
    pieces = [
        tf.strings.length(text),
        tf.strings.length(text, unit="UTF8_CHAR", name="characters"),
        tf.strings.lower(text),
        tf.strings.upper(text, encoding="utf-8"),
        tf.strings.strip(text),
        tf.string_strip(fed),
        tf.strings.substr(["hello", "world"], [1, 2], [2, 3]),
        tf.substr("hello", position, 3),
        tf.strings.substr([["hello"], ["world"]], [-2, 0], [9, 1], name="grid"),
        tf.strings.substr([b"h\xc3\xa9llo"], [1], [2], unit="UTF8_CHAR"),
    ]
    matched = [
        tf.strings.regex_replace(text, "[lo]+", r"<\0>"),
        tf.regex_replace(text, r"(\w)(\w)", r"\2\1", replace_global=False),
        tf.strings.regex_replace(text, fed, "_", name="by_tensor"),
        tf.strings.regex_full_match(text, "[[:alpha:]]+.*"),
        tf.strings.regex_full_match(text, fed),
        tf.strings.regex_replace("aAbB", "(?i)a|b$", "-"),
    ]
    hashed = [
        tf.strings.to_hash_bucket_fast(text, 1000),
        tf.string_to_hash_bucket_fast(fed, 7, name="fast"),
        tf.strings.to_hash_bucket_strong(text, 1000, [1, 2]),
        tf.string_to_hash_bucket_strong(fed, 7, key=[3, -4]),
        tf.strings.to_hash_bucket(text, 1000),
        tf.string_to_hash_bucket(input=fed, num_buckets=7),
    ]
    characters = [
        tf.strings.unicode_transcode(text, "UTF-8", "UTF-16-BE"),
        tf.strings.unicode_script(list(range(0, 0x110000, 251)) + [-1, 0x110000], name="script"),
        tf.strings.unicode_transcode(b"\xc3(x", "UTF-8", "UTF-8", errors="ignore"),
        tf.strings.unicode_transcode(b"a\xe9", "ISO-8859-1", "UTF-8", name="latin"),
        tf.strings.unicode_transcode(b"a\xff\x01", "UTF-8", "UTF-8", replacement_char=63),
    ]
    long = "x" * 31 + "y" * 70
    return {
        "steps": [
            ("pieces", pieces, {fed: [" a ", "b"], position: -4}),
            ("matched", matched, {fed: "[A-Z][a-z]+"}),
            ("hashed", hashed, {fed: [[long[:n] for n in (0, 1, 3, 5, 8, 16, 17, 33, 64, 101)]]}),
            ("characters", characters),
        ]
    }
