"""Datasets: file caches, iterators, options, unusual op arguments, and errors."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):

    D, E = tf.data.Dataset, tf.data.experimental
    one_shot = tf.compat.v1.data.make_one_shot_iterator

    def drawn(dataset, most=20):
        iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
        element = iterator.get_next()
        values = []
        with tf.Session() as session:
            session.run(iterator.initializer)
            for _ in range(most):
                try:
                    values.append(session.run(element))
                except tf.errors.OutOfRangeError:
                    break
        return values

    def numbers(count=5):
        return D.range(count)

    def windows(dataset, *args, **options):
        return drawn(dataset.window(*args, **options).flat_map(lambda window: window.batch(9)))

    def apart(call):
        with tf.Graph().as_default():  # numbers of functions depend on the process
            return call()

    def refused(call):
        try:
            apart(call)
        except TypeError as error:  # of a converted function
            return str(error).strip().split("\n")[-1].rpartition("TypeError: ")[2]

    def cached(name, partly=False):
        def dataset():
            return numbers(3).map(lambda n: (n, tf.as_string(n))).cache(name)

        return [drawn(dataset(), 2 if partly else 20), drawn(dataset())]

    def moved(first, second):
        iterator = tf.data.Iterator.from_structure(
            tf.compat.v1.data.get_output_types(first), tf.compat.v1.data.get_output_shapes(first)
        )
        return iterator.make_initializer(second).name

    def of_generator(generate, *arguments):
        return drawn(D.from_generator(generate, *arguments))

    def sparse(rank=2):
        return tf.SparseTensor(np.zeros([1, rank], np.int64), [1.0], [2] * rank)

    def with_options(**values):
        options = tf.data.Options()
        for name, value in values.items():
            setattr(options, name, value)
        return options

    def csv(**options):
        arguments = {"record_defaults": [[0]] * 3, "header": True}
        arguments.update(options)
        return drawn(E.CsvDataset("f.csv", **arguments))

    def csv_of(text, **options):
        with open("g.csv", "w") as file:
            file.write(text)
        arguments = {"record_defaults": [[0], ["x"]]}
        arguments.update(options)
        return drawn(E.CsvDataset("g.csv", **arguments))

    written = rows(
        table_of(__file__),
        tf=tf, D=D, E=E, apart=apart, cached=cached, csv=csv, csv_of=csv_of, drawn=drawn, moved=moved, np=np,
        numbers=numbers, windows=windows,
        of_generator=of_generator, one_shot=one_shot, plainly=tf.autograph.experimental.do_not_convert, refused=refused,
        sparse=sparse, with_options=with_options,
    )  # fmt: skip
    return {
        **written,  # and functions converted by AutoGraph, which needs their source
        "scan_of_two_dtypes": lambda: drawn(numbers().apply(E.scan(0, lambda s, n: (s + n, s)))),
        "reduced_from_another_dtype": lambda: numbers().reduce(0, lambda s, n: s + n),
    }
