"""Record parsing in `map`: batched, with the results of sequential parsing."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.executor.inline import parse_many

FEATURES = {"x": ([3], tf.float32), "n": ([], tf.int64), "word": ([], tf.string)}
LISTS = {"ids": tf.VarLenFeature(tf.int64), "tags": tf.VarLenFeature(tf.string)}


def record(number):
    example = tf.train.Example()
    fields = example.features.feature
    fields["x"].float_list.value.extend([number, number + 0.5, -number])
    fields["n"].int64_list.value.append(number * 3)
    if number % 4:
        fields["word"].bytes_list.value.append(f"w{number}".encode())
    return example.SerializeToString()


def parsed(serialized):
    return tf.parse_single_example(
        serialized,
        {
            k: tf.FixedLenFeature(s, d, "none" if d is tf.string else None)
            for k, (s, d) in FEATURES.items()
        },
    )


def lists_of(number):
    return [number * 1000 + n for n in range(number % 5)], [b"t%d" % n for n in range(number % 3)]


def record_of_lists(number):
    example = tf.train.Example.FromString(record(number))
    fields = example.features.feature
    ids, tags = lists_of(number)
    if number % 7:
        fields["ids"].int64_list.value.extend(ids)
    fields["tags"].bytes_list.value.extend(tags)
    return example.SerializeToString()


def read(dataset):
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    elements = []
    with tf.Session() as session:
        while True:
            try:
                elements.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return elements
            except tf.errors.OpError as error:
                elements.append(type(error))


def write(path, data):
    with tf.python_io.TFRecordWriter(path) as writer:
        for item in data:
            writer.write(item)
    return path


@pytest.mark.parametrize("calls", [None, 4])
def test_batched_parsing_matches_sequential(tmp_path, calls):
    path = write(str(tmp_path / "data"), [record(n) for n in range(300)])

    def more(serialized):
        result = parsed(serialized)
        return {**result, "sum": tf.reduce_sum(result["x"]) + tf.cast(result["n"], tf.float32)}

    with tf.Graph().as_default():
        for function in (parsed, more):
            elements = read(tf.data.TFRecordDataset(path).map(function, calls))
            assert len(elements) == 300
            for n, element in enumerate(elements):
                np.testing.assert_array_equal(element["x"], np.array([n, n + 0.5, -n], np.float32))
                assert element["n"] == 3 * n
                assert element["word"] == (f"w{n}".encode() if n % 4 else b"none")
                assert "sum" not in element or element["sum"] == np.float32(n + 0.5 + 3 * n)


@pytest.mark.parametrize("calls", [None, 4])
def test_variable_length_lists_become_sparse_tensors(tmp_path, calls):
    path = write(str(tmp_path / "data"), [record_of_lists(n) for n in range(120)])

    def more(serialized):
        result = tf.parse_single_example(
            serialized, {**LISTS, "n": tf.FixedLenFeature([], tf.int64)}
        )
        return {**result, "sum": tf.reduce_sum(result["ids"].values) + result["n"]}

    with tf.Graph().as_default():
        for function in (lambda data: tf.parse_single_example(data, LISTS), more):
            elements = read(tf.data.TFRecordDataset(path).map(function, calls))
            assert len(elements) == 120
            for n, element in enumerate(elements):
                ids, tags = lists_of(n)
                for key, values in (("ids", ids if n % 7 else []), ("tags", tags)):
                    assert element[key].values.tolist() == values
                    assert element[key].indices.tolist() == [[n] for n in range(len(values))]
                    assert element[key].dense_shape.tolist() == [len(values)]
                assert "sum" not in element or element["sum"] == sum(ids if n % 7 else []) + 3 * n


def test_damaged_record_raises_its_own_error(tmp_path):
    data = [record(n) for n in range(20)]
    data[7] = b"no example"
    path = write(str(tmp_path / "data"), data)
    with tf.Graph().as_default():
        elements = read(tf.data.TFRecordDataset(path).map(parsed).map(lambda result: result["n"]))
    assert elements == [tf.errors.InvalidArgumentError if n == 7 else 3 * n for n in range(20)]


def test_short_record_raises_its_own_error(tmp_path):
    data = [record(n) for n in range(20)]
    short = tf.train.Example.FromString(data[7])
    short.features.feature["x"].float_list.value.pop()
    data[7] = short.SerializeToString()
    path = write(str(tmp_path / "data"), data)
    with tf.Graph().as_default():
        elements = read(tf.data.TFRecordDataset(path).map(parsed).map(lambda result: result["n"]))
    assert elements == [tf.errors.InvalidArgumentError if n == 7 else 3 * n for n in range(20)]


def test_batched_parsing_eligibility(monkeypatch):
    """Functions whose defaults depend on no record."""
    created = []

    def noted(body, plan, parsing=parse_many.make_batched_parse):
        created.append(parsing(body, plan))
        return created[-1]

    monkeypatch.setattr(parse_many, "make_batched_parse", noted)

    def own_default(serialized):
        return parse_with(tf.substr(serialized, 0, 0))(serialized)

    def parse_with(default):
        features = {"word": tf.FixedLenFeature([], tf.string, default)}
        return lambda serialized: tf.parse_single_example(serialized, features)

    with tf.Graph().as_default():
        records = tf.data.Dataset.from_tensor_slices([record(4), record(5)])
        for function, words in [
            (parsed, [b"none", b"w5"]),
            (parse_with("other"), [b"other", b"w5"]),
            (own_default, [b"", b"w5"]),
        ]:
            assert [element["word"] for element in read(records.map(function))] == words
    assert [many is not None for many in created] == [True, True, False]
    rows = created[1]([[record(4)], [record(5)], [record(6)]])
    assert [word for (word,) in rows] == [b"other", b"w5", b"w6"]


def test_generator_is_not_read_ahead():
    requests = []

    def generator():
        for index in range(5):
            requests.append(index)
            yield record(index)

    with tf.Graph().as_default():
        dataset = tf.data.Dataset.from_generator(generator, tf.string, []).map(parsed)
        following = tf.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            for index in range(3):
                assert session.run(following)["n"] == 3 * index
                assert requests == list(range(index + 1))
