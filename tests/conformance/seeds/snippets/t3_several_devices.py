import tfmini as tf

with tf.device("/cpu:1"):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
x = tf.placeholder(tf.float32, [2, 2], name="x")
with tf.device("/cpu:2"):
    y = tf.matmul(x, w, name="y")
with tf.device("/device:CPU:*"):
    size = tf.size(y, name="size")
loss = tf.reduce_sum(y, name="loss")
with tf.device(lambda op: "/cpu:3" if op.type == "ApplyGradientDescent" else ""):
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, colocate_gradients_with_ops=True)
config = tf.ConfigProto(device_count={"CPU": 4}, log_device_placement=True)
with tf.Session(config=config) as sess:
    for device in sess.list_devices():
        if device.device_type == "CPU":
            print(device.name)
    sess.run(tf.global_variables_initializer())
    print(sess.run([loss, size], {x: [[1.0, 0.0], [0.0, 1.0]]}))
    sess.run(train, {x: [[1.0, 0.0], [0.0, 1.0]]})
    print(sess.run(w))
    with tf.device("/cpu:1"):
        late = tf.square(loss, name="late")
    print(sess.run(late, {x: [[1.0, 0.0], [0.0, 1.0]]}))
    with tf.device("/cpu:4"):
        too_far = tf.square(loss, name="too_far")
    try:
        sess.run(too_far, {x: [[1.0, 0.0], [0.0, 1.0]]})
    except tf.errors.InvalidArgumentError as error:
        print(error.message.split("\n")[0])
