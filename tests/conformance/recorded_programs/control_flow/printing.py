"""tf.print, tf.Print and tf.strings.format: output text and nodes."""

import sys


def build(tf):
    x = tf.placeholder(tf.float32, name="x")
    word = tf.constant("word")
    sparse = tf.SparseTensor([[0, 0]], [1.5], [2, 2])
    nowhere = "file:///dev/null"
    written = [
        tf.print(x, output_stream=nowhere),
        tf.print("x:", x, {"b": [x, 3], "a": (word, None)}, output_stream=nowhere),
        tf.print(word, word, sep="-", end="|", output_stream=nowhere),
        tf.print(sparse, [sparse, "{}"], 1.5, output_stream=nowhere, summarize=1),
        tf.print(word, output_stream=nowhere, name="named"),
        tf.print(x, output_stream=nowhere, summarize=-1, name="whole"),
        tf.print(output_stream=nowhere),
    ]
    tf.print(x, word)
    tf.print("just {} text", output_stream=sys.stdout)
    tf.print(x, output_stream=tf.logging.info)
    tf.print(x, output_stream=tf.logging.WARN)
    tf.print(x, output_stream=tf.logging.error)
    passed = [
        tf.Print(x, [x, word, 1], "message", 0, 5, name="Printed"),
        tf.Print(1.0, [], first_n=0),
    ]
    texts = [op.inputs[0] for op in written]
    formatted = [
        tf.strings.format("{} and {}", [x, word]),
        tf.strings.format("%s%%", x, placeholder="%s", summarize=2),
        tf.strings.format("nothing", []),
    ]
    values = [
        [0.1, 1 / 3, 1e20, -0.0, 16777216.0, 123456.7, float("inf"), float("nan")],
        [[1.0, 2.0], [3.0, 4.0]],
        [[[1.0] * 9] * 2] * 3,
        2.5,
        [],
    ]
    steps = [(str(value), [written, texts, formatted, passed], {x: value}) for value in values]
    return {"steps": steps}
