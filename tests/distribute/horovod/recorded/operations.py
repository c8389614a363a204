"""Horovod operations and optimizers in two processes; the last line has each rank's results, for comparison."""

import json

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rank, size = hvd.rank(), hvd.size()
session = tf.compat.v1.Session()
seen = {
    "place": [rank, size, hvd.local_rank(), hvd.local_size(), hvd.is_homogeneous()],
    "built": [hvd.mpi_enabled(), hvd.gloo_enabled(), hvd.gloo_built(), hvd.ddl_built()],
    "others": [hvd.ccl_built(), hvd.rocm_built()],
}


def run(fetches):
    return np.asarray(session.run(fetches)).tolist()


ones = tf.constant([1.0 + rank])
seen["scaled"] = run(hvd.allreduce(ones, op=hvd.Sum, prescale_factor=0.5, postscale_factor=3.0))
seen["integers"] = run(hvd.allreduce(tf.constant([3 + rank])))
grouped = hvd.grouped_allreduce([ones, tf.constant([[2.0 * rank]])])
seen["grouped"] = [run(each) for each in grouped]
even = tf.constant(np.arange(size * 3, dtype=np.float32).reshape(-1, 1) + 100 * rank)
sent = hvd.alltoall(even)
seen["alltoall"] = [run(sent), run(tf.gradients(sent * (rank + 1.0), even)[0])]
splits = [1] * size
splits[rank] = 2
uneven = tf.constant(np.arange(sum(splits), dtype=np.float32).reshape(-1, 1) + 10 * rank)
sent = hvd.alltoall(uneven, splits=splits)
seen["splits"] = [run(sent), run(tf.gradients(sent * (rank + 1.0), uneven)[0])]
seen["numbers"] = [run(hvd.rank_op()), run(hvd.size_op()), run(hvd.local_size_op())]
with session.as_default():
    seen["object"] = hvd.broadcast_object({"epoch": rank + 3}, root_rank=1)
    seen["objects"] = hvd.allgather_object({"ranks": [rank] * rank})


def train(steps, **options):
    """The variables after each step of a distributed optimizer with these options, and their names."""
    with tf.Graph().as_default():
        weights = tf.compat.v1.get_variable("weights", initializer=[1.0, 2.0])
        factor = tf.compat.v1.get_variable("factor", initializer=[[0.5]])
        inputs = tf.compat.v1.placeholder(tf.float32, [2])
        loss = tf.reduce_sum(tf.square(weights * inputs * factor - 1.0))
        sgd = tf.compat.v1.train.GradientDescentOptimizer(0.1)
        step = hvd.DistributedOptimizer(sgd, **options).minimize(loss)
        result = [tf.compat.v1.global_variables(), tf.compat.v1.local_variables()]
        names = [sorted(each.name for each in variables) for variables in result]
        values, random = [], np.random.RandomState(rank + 10)
        with tf.compat.v1.Session() as own:
            own.run([tf.compat.v1.variables_initializer(each) for each in result])
            for _ in range(steps):
                own.run(step, {inputs: random.rand(2)})
                values.append([each.tolist() for each in own.run([weights, factor])])
    return [names, values]


seen["average"] = train(3)
seen["sum"] = train(3, op=hvd.Sum)
seen["predivided"] = train(3, gradient_predivide_factor=2.0)
seen["passes"] = train(5, backward_passes_per_step=2)
averages = {"backward_passes_per_step": 2, "average_aggregated_gradients": True}
seen["averaged passes"] = train(5, **averages)
seen["one group"] = train(2, groups=1)

with tf.Graph().as_default():
    holder = tf.compat.v1.placeholder(tf.float32, [2])
    sums = [hvd.allreduce(holder, op=hvd.Sum), hvd.allreduce(holder)]
    join = hvd.join()
    with tf.compat.v1.Session() as own:
        unequal = [own.run(sums, {holder: [1.0, rank]}) for _ in range(1 + 2 * rank)]
        seen["unequally many"] = np.asarray(unequal).tolist()
        own.run(join)
        seen["after joining"] = own.run(sums[0], {holder: [1.0, 1.0]}).tolist()
print("seen " + json.dumps(seen), flush=True)
