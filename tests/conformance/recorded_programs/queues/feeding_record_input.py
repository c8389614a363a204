"""RecordInput: the nodes of its forms; no file is there."""


def build(tf):
    make = tf.contrib.framework.RecordInput
    plain = make("no/such/*.tfrecord").get_yield_op()
    named = make("a,b", 6, 100, 2, 0.25, 3, "named", compression_type=1).get_yield_op()
    batches = make("a", 2, batches=3, name="batches").get_yield_op()
    facts = {
        "shapes": [str(plain.shape), str(named.shape), str(batches[0][0].shape)],
        "batches": [[record.name for record in batch] for batch in batches],
    }

    def missing(session):
        try:
            session.run(plain)
        except tf.errors.NotFoundError as error:
            return error.message.split("\n")[0]

    return {"steps": [("missing", missing)], "facts": facts}
