"""tf.data: iterators in checkpoints continue where they were."""

import os
import tempfile


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(20)
    datasets = [
        numbers.repeat(2),
        numbers.batch(3).map(lambda x: x * 2).skip(1).take(4),
        D.zip((numbers, D.range(5).repeat())).shard(2, 1),
        numbers.concatenate(D.range(3)).enumerate(),
        numbers.filter(lambda x: tf.equal(x % 3, 0)).apply(
            E.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s))
        ),
        E.RandomDataset(4).batch(2).take(6),
        D.range(1, 9).map(lambda n: tf.fill([n], n)).padded_batch(2, [None]),
        E.choose_from_datasets([numbers, D.range(100, 120)], D.range(2).repeat()),
        numbers.map(lambda x: x % 4).apply(E.unique()),
        numbers.apply(E.take_while(lambda x: x < 9)),
    ]
    iterators = [dataset.make_initializable_iterator() for dataset in datasets]
    following = [iterator.get_next() for iterator in iterators]
    start = [iterator.initializer for iterator in iterators]
    saver = tf.train.Saver([E.make_saveable_from_iterator(iterator) for iterator in iterators])
    prefix = os.path.join(tempfile.mkdtemp(), "model")

    def goes_on(session):
        session.run(start)
        session.run(following)
        session.run(following)
        path = saver.save(session, prefix)
        after = session.run(following)
        session.run(following)
        session.run(start)
        saver.restore(session, path)
        return [after, session.run(following)]

    return {"steps": [("goes on", goes_on)]}
