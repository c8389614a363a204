"""Accumulators: dense and sparse gradients summed over steps, taken when there are enough, dropped when old."""


def build(tf):
    mean = tf.ConditionalAccumulator(tf.float32, shape=tf.TensorShape([2]), shared_name="mean")
    total = tf.ConditionalAccumulator(tf.float64, name="total", reduction_type="SUM")
    half = tf.ConditionalAccumulator(tf.float16, shape=[None, 2], name="half")
    slices = tf.SparseConditionalAccumulator(tf.float32, shape=[4, None], name="slices")
    sums = tf.SparseConditionalAccumulator(tf.float64, reduction_type="SUM")
    grad = tf.placeholder(tf.float32, [2], name="grad")
    step = tf.placeholder(tf.int32, [], name="step")
    add = mean.apply_grad(grad, local_step=step)
    take = mean.take_grad(2)
    count = mean.num_accumulated()
    more = total.apply_grad([[1.0], [0.25]])
    parts = tf.IndexedSlices(
        tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 2]), tf.constant([4, 2])
    )
    other = slices.apply_grad(tf.constant([2, 3], tf.int64), [[5.0, 6.0], [7.0, 8.0]], local_step=1)
    several = sums.apply_grad([1, 3], tf.constant([1.0, 2.0], tf.float64), name="several")
    steps = [
        ("none", [count, total.num_accumulated(name="counted")]),
        ("add", add, {grad: [1.0, 2.0], step: 0}),
        ("again", add, {grad: [5.0, 3.0], step: 3}),
        ("count", count),
        ("take", take),
        ("too old", add, {grad: [5.0, 3.0], step: 0}),
        ("new", add, {grad: [5.0, 3.0], step: 1}),
        ("count after", count),
        ("step", mean.set_global_step(step, name="set"), {step: 9}),
        ("old too", add, {grad: [5.0, 3.0], step: 8}),
        ("count at last", count),
        ("sum", more),
        ("sum twice", more),
        ("take sum", total.take_grad(1, name="taken")),
        ("half", half.apply_grad([[1.0, 3.0]])),
        ("take half", half.take_grad(1)),
        ("slices", slices.apply_indexed_slices_grad(parts, 0)),
        ("slices again", other),
        ("slices of both", slices.num_accumulated()),
        ("mean of slices", slices.take_indexed_slices_grad(2)),
        ("old slices", [slices.set_global_step(2)]),
        ("dropped", other),
        ("no slices", slices.num_accumulated(name="left")),
        ("vector", several),
        ("vector twice", several),
        ("sum of slices", list(sums.take_grad(2))),
        ("both at once", [take, add], {grad: [1.5, 2.0], step: 9}),
    ]
    return {
        "steps": steps,
        "facts": {
            "names": [mean.name, slices.name],
            "dtypes": [str(mean.dtype), str(half.accumulator_ref.dtype)],
            "shapes": [str(take.shape), str(sums.accumulator_ref.shape)],
        },
    }
