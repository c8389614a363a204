import glob
import os
import tempfile

import tfmini as tf

folder = tempfile.mkdtemp()
with tf.name_scope("input"):
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    pictures = tf.reshape(x, [-1, 2, 2, 1])
    tf.summary.image("pictures", pictures, max_outputs=2)
with tf.name_scope("layer"):
    weights = tf.Variable(tf.ones([4, 2]), name="weights")
    y = tf.matmul(x, weights)
    tf.summary.histogram("weights", weights)
    tf.summary.histogram("outputs", y)
with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.square(y), name="mean")
    scalar = tf.summary.scalar("mean", loss)
sound = tf.summary.audio("sound", tf.reshape(x, [1, -1]) - 1.0, sample_rate=8000, max_outputs=1)
text = tf.summary.text("note", tf.constant("what was *tried*"))
some = tf.summary.merge([scalar, text])
every = tf.summary.merge_all()
print(scalar.op.name, every.op.name, len(tf.get_collection(tf.GraphKeys.SUMMARIES)))

train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
feed = {x: [[0.0, 0.5, 1.0, 2.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter(folder, sess.graph, max_queue=3, flush_secs=60)
    for step in range(3):
        summary, _ = sess.run([every if step != 1 else some, train], feed)
        writer.add_summary(summary, global_step=step)
    writer.flush()
    writer.close()

(path,) = glob.glob(os.path.join(folder, "*"))
print(os.path.basename(path).startswith("events.out.tfevents."))
for event in tf.train.summary_iterator(path):
    kind = event.WhichOneof("what")
    print(event.step, kind)
    if kind == "graph_def":
        graph = tf.GraphDef.FromString(event.graph_def)
        print(sorted({node.name.partition("/")[0] for node in graph.node}))
    for value in event.summary.value:
        what = value.WhichOneof("value")
        print(value.tag, what, value.metadata.plugin_data.plugin_name)
        if what == "simple_value":
            print(f"{value.simple_value:.5f}")
        elif what == "histo":
            histogram = value.histo
            print(f"{histogram.min:.3f} {histogram.max:.3f} {histogram.num:g} {histogram.sum:.3f}")
            print([f"{limit:.4g}" for limit in histogram.bucket_limit])
            print(list(histogram.bucket))
        elif what == "image":
            picture = value.image
            print(picture.height, picture.width, picture.colorspace)
            print(picture.encoded_image_string[1:4])
        elif what == "audio":
            audio = value.audio
            print(audio.sample_rate, audio.num_channels, audio.length_frames, audio.content_type)
        else:
            print(value.tensor.string_val[0])
