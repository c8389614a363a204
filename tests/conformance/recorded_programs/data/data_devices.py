"""tf.data: elements copied between CPUs, thread and option datasets, statistics."""

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(5)
    datasets = [
        numbers.apply(E.copy_to_device("/cpu:0")),
        numbers.map(lambda x: {"x": x, "y": tf.cast(x, tf.float32)}).apply(
            E.copy_to_device("/cpu:0", "/cpu:0")
        ),
        numbers.batch(2).apply(E.prefetch_to_device("/cpu:0", 1)),
        numbers.apply(E.bytes_produced_stats("bytes")).apply(E.latency_stats("time")),
    ]
    options = tf.data.Options()
    aggregator = E.StatsAggregator()
    options.experimental_stats.aggregator = aggregator
    options.experimental_stats.prefix = "first"
    sized = D.range(1, 4).map(lambda n: tf.fill([n], n)).apply(E.bytes_produced_stats("bytes"))
    sized = sized.with_options(options)
    iterator = sized.make_initializable_iterator()
    following = iterator.get_next()
    summary = aggregator.get_summary()

    def measured(session):
        session.run(iterator.initializer)
        for _ in range(3):
            session.run(following)
        found = tf.Summary.FromString(session.run(summary))
        return sorted(
            (value.tag, value.histo.num, value.histo.sum)
            for value in found.value
            if value.HasField("histo")
        )

    unread = [tf.data.make_initializable_iterator(dataset) for dataset in datasets[:3]]
    unread.append(
        tf.data.make_initializable_iterator(numbers.apply(E.copy_to_device("/cpu:0")).prefetch(1))
    )
    first = [iterator.get_next() for iterator in unread]

    def closed_before_the_end(session):
        with type(session)(graph=session.graph) as other:
            for _ in range(2):
                other.run([iterator.initializer for iterator in unread])
                values = other.run(first)
        return values

    steps = [
        *read_all(tf, datasets),
        ("measured", measured),
        ("closed before the end", closed_before_the_end),
    ]
    return {"steps": steps}
