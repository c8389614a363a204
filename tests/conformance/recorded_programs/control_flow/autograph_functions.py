"""Functions converted by AutoGraph: conditions and loops in graphs and in datasets."""

from tests.conformance.recorded_programs.control_flow._autograph import settle


def collatz(n):
    count = 0
    while n > 1:
        if n % 2 < 1:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return count


def early(x):
    if x > 5:
        return x
    if x > 0 and x < 3:
        return x * 2
    return -x if not x > 4 else x + 1


def build(tf):
    settle()

    def jumps(n):
        s = 0
        for i in tf.range(n):
            if i % 3 < 1:
                continue
            if i > 7:
                break
            s += collatz(i)
        return s

    class Counter:
        def __init__(self):
            self.total = tf.constant(1)

        def add(self, n):
            while self.total < n:
                self.total = self.total * 2
            for k in range(n):
                self.total += k
            return self.total

    x = tf.placeholder(tf.int32, [], name="x")
    with tf.name_scope("graph"):
        steps = tf.autograph.to_graph(collatz)(x)
        jumped = tf.autograph.to_graph(jumps)(x)
        chosen = tf.autograph.to_graph(early)(x)
        counted = tf.autograph.to_graph(Counter.add)(Counter(), x)
    dataset = tf.data.Dataset.range(6).map(lambda n: early(tf.cast(n, tf.int32)))
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    fetches = [steps, jumped, chosen, counted]
    steps = [(f"of {n}", fetches, {x: n}) for n in (1, 2, 6, 11)]
    return {"steps": [*steps, ("first", following), ("second", following)]}
