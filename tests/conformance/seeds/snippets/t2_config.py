import numpy as np

import tfmini as tf

config = tf.ConfigProto(
    log_device_placement=False,
    allow_soft_placement=True,
    gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4, allow_growth=False),
    intra_op_parallelism_threads=2,
    inter_op_parallelism_threads=1,
    device_count={"CPU": 2, "GPU": 2},
)
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.7
print(config.gpu_options.allow_growth, round(config.gpu_options.per_process_gpu_memory_fraction, 3))
print(config.allow_soft_placement, config.log_device_placement)
print(config.intra_op_parallelism_threads, config.inter_op_parallelism_threads)
print(sorted(config.device_count.items()))

with tf.device("/gpu:0"):
    a = tf.constant(np.arange(6, dtype=np.float32).reshape(2, 3), name="a")
    with tf.device("/gpu:1"):
        b = tf.constant(np.ones((3, 2), np.float32), name="b")
    c = tf.matmul(a, b, name="c")
with tf.device("/cpu:1"):
    d = tf.reduce_sum(c, name="d")
with tf.Session(config=config) as sess:
    print(sess.run(c).tolist(), sess.run(d))
    print([device.name for device in sess.list_devices() if device.device_type == "CPU"])

sess = tf.InteractiveSession(config=tf.ConfigProto(allow_soft_placement=True))
print((d * 2.0).eval())
sess.close()
