"""A program that writes an event file. Also runs under Python 3.7."""


def write(tf, folder):
    """Everything that a FileWriter can add."""
    with tf.Graph().as_default() as graph:
        step = tf.Variable(0, name="step")
        tf.assign_add(step, tf.constant(2, name="two"))
        writer = tf.summary.FileWriter(folder, graph)
        image = tf.Summary.Image(height=1, width=1, colorspace=1, encoded_image_string=b"png")
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="picture", image=image)]))
        for i in range(3):
            plugin = tf.SummaryMetadata.PluginData(plugin_name="scalars")
            metadata = tf.SummaryMetadata(display_name="the loss", plugin_data=plugin)
            value = tf.Summary.Value(tag="loss", simple_value=1.0 / (i + 1), metadata=metadata)
            writer.add_summary(tf.Summary(value=[value]), i)
        histogram = tf.HistogramProto(
            min=0, max=2, num=3, sum=3, bucket_limit=[1, 3], bucket=[1, 2]
        )
        value = tf.Summary.Value(tag="weights", histo=histogram)
        writer.add_summary(tf.Summary(value=[value]).SerializeToString(), 2.7)
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 3)
        writer.add_run_metadata(tf.RunMetadata(), "first run", 7)
        writer.add_event(tf.Event(step=9, wall_time=1.6e9))
        writer.close()
