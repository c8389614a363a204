"""Multinomial.sample: a loop over the members of the batch, each with its own number of draws."""


def build(tf):
    tf.set_random_seed(11)
    d = tf.distributions
    single = d.Multinomial(4.0, probs=[0.2, 0.3, 0.5])
    batch = d.Multinomial([3.0, 5.0], logits=[[0.0, 1.0, -1.0], [2.0, 0.0, 0.0]], name="batch")
    shared = d.Multinomial([[2.0], [6.0]], probs=[[0.5, 0.5], [0.1, 0.9]], validate_args=True)
    double = d.Multinomial(tf.constant(3.0, tf.float32), logits=tf.zeros([2, 2]))
    samples = [
        single.sample(),
        single.sample(5, seed=3),
        batch.sample([2, 2], name="several"),
        shared.sample(3, seed=1),
        double.sample(2),
    ]
    facts = {"shapes": [str(s.shape) for s in samples]}
    # Which member of a batch draws first is left to the moment in TensorFlow.
    totals = [tf.reduce_sum(s, -1) for s in samples]
    steps = [
        ("first", samples[0]),
        ("seeded", samples[1]),
        ("density", single.log_prob(samples[1])),
    ]
    return {"facts": facts, "steps": [*steps, ("totals", totals)]}
