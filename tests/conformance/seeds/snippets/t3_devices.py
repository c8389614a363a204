import tfmini as tf

with tf.device("/cpu:0"):
    a = tf.constant([1.0, 2.0], name="a")
    with tf.device("/job:localhost"):
        b = a * 2.0
    with tf.device(None):
        c = a + b
with tf.device("/gpu:0"):
    d = tf.add(a, 1.0, name="d")
with tf.device("/job:ps/task:0"):
    e = tf.constant(1.0, name="e")
    with tf.device("/cpu:1"):
        f = tf.constant(1.0, name="f")
with tf.device(lambda op: "/cpu:0" if op.type == "Const" else "/gpu:3"):
    g = tf.constant(1.0, name="g") + 1.0
for t in (a, b, c, d, e, f, g, g.op.inputs[0]):
    print(t.name, repr(t.device))
print(tf.DeviceSpec.from_string("/job:ps/task:2/cpu:0").to_string())
with tf.Graph().as_default():
    with tf.device("/device:CPU:0"):
        near = tf.constant(2.0) * 3.0
    with tf.device("/cpu:7"):
        far = tf.add(near, 1.0, name="far")
    with tf.Session() as sess:
        try:
            sess.run(far)
        except tf.errors.InvalidArgumentError as error:
            print(error.message.split("\n")[0])
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        print(sess.run(far))
    config = tf.ConfigProto()
    config.allow_soft_placement = True
    with tf.Session(config=config) as sess:
        print(sess.run([near, far]))
