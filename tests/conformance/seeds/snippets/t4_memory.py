import tfmini as tf

gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=0.7)
config = tf.ConfigProto(gpu_options=gpu_options, allow_soft_placement=True)
config.gpu_options.allow_growth = True

with tf.device("/gpu:0"):
    weights = tf.Variable(tf.ones([4, 4]), name="weights")
with tf.device("/gpu:1"):
    scaled = weights * 2.0
total = tf.reduce_sum(scaled)
update = weights.assign_add(scaled)
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(update.op)
        print(sess.run(total))
