"""tf.data: shuffles under seeds give TensorFlow's order: of the graph, of the op, again for each epoch or not."""

from tests.conformance.recorded_programs.data.data_basic import until_the_end


def orders(tf):
    D = tf.data.Dataset
    plain = tf.data.Options()
    plain.experimental_optimization.apply_default_optimizations = False
    numbers = D.range(7)
    return [
        numbers.shuffle(3),
        numbers.shuffle(3, seed=5),
        numbers.shuffle(20).repeat(3),
        numbers.shuffle(3).repeat(3).with_options(plain),
        numbers.shuffle(3, reshuffle_each_iteration=False).repeat(2),
        numbers.repeat(2).shuffle(4),
        numbers.shuffle(3).take(5).repeat(3),
        numbers.shuffle(3, seed=0).batch(2).repeat(2),
        D.from_tensor_slices([1.5, 2.5, 3.5]).shuffle(2).repeat().batch(4).take(5),
        D.range(2).flat_map(lambda x: D.range(5).shuffle(3).repeat(2)),
        D.zip((numbers.shuffle(3).take(9), numbers.shuffle(4).take(9)))
        .map(lambda a, b: a * 10 + b)
        .repeat(2),
        numbers.map(lambda x: x + 1).shuffle(3).map(lambda x: x * 2).shuffle(2).repeat(2),
        D.range(2)
        .map(lambda x: tf.random_uniform([], maxval=100, dtype=tf.int32))
        .take(9)
        .repeat(2),
        D.range(3).shuffle(2, seed=1).shuffle(2, seed=2).repeat(2).shuffle(2, seed=3),
        numbers.shuffle(100).skip(1).shard(2, 0).take(5).repeat(2),
        D.from_tensors(1)
        .shuffle(2)
        .repeat(2)
        .concatenate(D.range(4).map(lambda x: tf.cast(x, tf.int32)).shuffle(3)),
    ]


def build(tf):
    steps = []
    for number, dataset in enumerate(orders(tf)):
        if number % 3 == 2:
            following = dataset.make_one_shot_iterator().get_next()
        else:
            iterator = dataset.make_initializable_iterator()
            following = iterator.get_next()
            for again in "ab"[: 1 + number % 2]:
                steps.append((f"start {number}{again}", lambda s, i=iterator: s.run(i.initializer)))
                steps.append((f"read {number}{again}", until_the_end(following)))
            continue
        steps.append((f"read {number}", until_the_end(following)))
    return {"steps": steps}
