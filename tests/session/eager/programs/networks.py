"""Subclassed models with custom training steps."""

import numpy as np


def images(*shape, seed=0):
    return np.random.RandomState(seed).uniform(size=shape).astype("f")


def trained(tf, model, loss_of, optimizer, count=3):
    losses = []
    for _ in range(count):
        with tf.GradientTape() as tape:
            loss = loss_of()
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(loss)
    return losses


def digits_by_convolutions(tf):
    tf.set_random_seed(1)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(16, [3, 3], activation="relu"),
            tf.keras.layers.Conv2D(16, [3, 3], activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10),
        ]
    )
    inputs, labels = images(8, 8, 8, 1), np.arange(8)
    losses = trained(
        tf,
        model,
        lambda: tf.losses.sparse_softmax_cross_entropy(labels, model(inputs, training=True)),
        tf.train.AdamOptimizer(0.01),
        4,
    )
    return {
        "losses": losses,
        "logits": model(inputs[:2]),
        "shapes": [v.shape.as_list() for v in model.variables],
    }


def text_by_a_stateful_gru(tf):
    """A character model: trained on truncated sequences, then sampled from a start character."""
    tf.set_random_seed(2)
    text = "to be or not to be that is the question "
    letters = sorted(set(text))
    numbers = np.array([letters.index(c) for c in text * 2])

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.embedding = tf.keras.layers.Embedding(len(letters), 8)
            self.gru = tf.keras.layers.GRU(
                16,
                return_sequences=True,
                recurrent_initializer="glorot_uniform",
                recurrent_activation="sigmoid",
                stateful=True,
            )
            self.fc = tf.keras.layers.Dense(len(letters))

        def call(self, x):
            return self.fc(self.gru(self.embedding(x)))

    model = Model()
    optimizer = tf.train.AdamOptimizer(0.02)
    model.build(tf.TensorShape([2, 10]))
    chunks = tf.data.Dataset.from_tensor_slices(numbers).batch(11, drop_remainder=True)
    dataset = chunks.map(lambda chunk: (chunk[:-1], chunk[1:])).batch(2, drop_remainder=True)
    losses = []
    for _ in range(3):
        model.reset_states()
        for inputs, target in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    tf.losses.sparse_softmax_cross_entropy(labels=target, logits=model(inputs))
                )
            grads = tape.gradient(loss, model.variables)
            optimizer.apply_gradients(zip(grads, model.variables))
            losses.append(loss.numpy())
    taught = Model()
    taught.build(tf.TensorShape([1, None]))
    taught.set_weights(model.get_weights())
    taught.reset_states()
    written, letter = [], tf.expand_dims([letters.index("t")], 0)
    for _ in range(12):
        predictions = tf.squeeze(taught(letter), 0)
        drawn = tf.random.categorical(predictions / 0.5, num_samples=1)[-1, 0].numpy()
        letter = tf.expand_dims([drawn], 0)
        written.append(letters[drawn])
    return {
        "losses": losses,
        "written": "".join(written),
        "variables": [v.name for v in model.variables],
    }


def translation_with_attention(tf):
    tf.set_random_seed(3)
    units, words = 8, 12

    class Encoder(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.embedding = tf.keras.layers.Embedding(words, 6)
            self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)

        def call(self, x, hidden):
            return self.gru(self.embedding(x), initial_state=hidden)

    class Decoder(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.embedding = tf.keras.layers.Embedding(words, 6)
            self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
            self.fc = tf.keras.layers.Dense(words)
            self.W1 = tf.keras.layers.Dense(units)
            self.W2 = tf.keras.layers.Dense(units)
            self.V = tf.keras.layers.Dense(1)

        def call(self, x, hidden, enc_output):
            score = self.V(tf.nn.tanh(self.W1(enc_output) + self.W2(tf.expand_dims(hidden, 1))))
            attention_weights = tf.nn.softmax(score, axis=1)
            context_vector = tf.reduce_sum(attention_weights * enc_output, axis=1)
            x = tf.concat([tf.expand_dims(context_vector, 1), self.embedding(x)], axis=-1)
            output, state = self.gru(x)
            return self.fc(tf.reshape(output, (-1, output.shape[2]))), state, attention_weights

    def loss_function(real, pred):
        mask = 1 - np.equal(real, 0)
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=real, logits=pred) * mask
        )

    source = tf.constant(np.random.RandomState(0).randint(1, words, (4, 5)))
    target = tf.constant(np.random.RandomState(1).randint(0, words, (4, 4)))
    encoder, decoder, optimizer = Encoder(), Decoder(), tf.train.AdamOptimizer()
    losses = []
    for _ in range(3):
        loss = 0
        with tf.GradientTape() as tape:
            enc_output, hidden = encoder(source, tf.zeros((4, units)))
            dec_input = tf.expand_dims([1] * 4, 1)
            for t in range(1, target.shape[1]):
                predictions, hidden, weights = decoder(dec_input, hidden, enc_output)
                loss += loss_function(target[:, t], predictions)
                dec_input = tf.expand_dims(target[:, t], 1)
        losses.append(loss / int(target.shape[1]))
        variables = encoder.variables + decoder.variables
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables), tf.train.get_or_create_global_step())
    return {"losses": losses, "attention": weights, "word": tf.argmax(predictions[0]).numpy()}


def adversarial_pair(tf):
    """A generator of transposed convolutions and its critic, two tapes, seeded noise."""
    tf.set_random_seed(4)
    layers = tf.keras.layers

    class Generator(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.fc1 = layers.Dense(4 * 4 * 8, use_bias=False)
            self.norm1 = layers.BatchNormalization()
            self.conv1 = layers.Conv2DTranspose(
                4, (5, 5), strides=(1, 1), padding="same", use_bias=False
            )
            self.norm2 = layers.BatchNormalization()
            self.conv2 = layers.Conv2DTranspose(
                1, (5, 5), strides=(2, 2), padding="same", use_bias=False
            )

        def call(self, x, training=True):
            x = tf.nn.relu(self.norm1(self.fc1(x), training=training))
            x = tf.reshape(x, shape=(-1, 4, 4, 8))
            x = tf.nn.relu(self.norm2(self.conv1(x), training=training))
            return tf.nn.tanh(self.conv2(x))

    class Discriminator(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.conv1 = layers.Conv2D(4, (5, 5), strides=(2, 2), padding="same")
            self.dropout = layers.Dropout(0.3)
            self.flatten = layers.Flatten()
            self.fc1 = layers.Dense(1)

        def call(self, x, training=True):
            x = self.dropout(tf.nn.leaky_relu(self.conv1(x)), training=training)
            return self.fc1(self.flatten(x))

    generator, discriminator = Generator(), Discriminator()
    generator.call = tf.contrib.eager.defun(generator.call)
    gen_opt, disc_opt = tf.train.AdamOptimizer(1e-3), tf.train.AdamOptimizer(1e-3)
    cross_entropy = tf.losses.sigmoid_cross_entropy
    real, results = images(4, 8, 8, 1), []
    for _ in range(2):
        noise = tf.random_normal([4, 10])
        with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
            generated = generator(noise, training=True)
            real_output = discriminator(real, training=False)
            fake_output = discriminator(generated, training=False)
            gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
            disc_loss = cross_entropy(tf.ones_like(real_output), real_output) + cross_entropy(
                tf.zeros_like(fake_output), fake_output
            )
        for tape, loss, model, optimizer in [
            (gen_tape, gen_loss, generator, gen_opt),
            (disc_tape, disc_loss, discriminator, disc_opt),
        ]:
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        results.append([gen_loss, disc_loss])
    return {"losses": results, "image": generator(noise, training=False)[0, :, 0, 0]}


def variational_autoencoder(tf):
    tf.set_random_seed(5)
    layers = tf.keras.layers

    class CVAE(tf.keras.Model):
        def __init__(self, latent_dim):
            super().__init__()
            self.inference_net = tf.keras.Sequential(
                [
                    layers.InputLayer(input_shape=(8, 8, 1)),
                    layers.Conv2D(filters=4, kernel_size=3, strides=(2, 2), activation=tf.nn.relu),
                    layers.Flatten(),
                    layers.Dense(latent_dim + latent_dim),
                ]
            )
            self.generative_net = tf.keras.Sequential(
                [
                    layers.InputLayer(input_shape=(latent_dim,)),
                    layers.Dense(units=4 * 4 * 4, activation=tf.nn.relu),
                    layers.Reshape(target_shape=(4, 4, 4)),
                    layers.Conv2DTranspose(4, 3, strides=(2, 2), padding="SAME", activation="relu"),
                    layers.Conv2DTranspose(
                        filters=1, kernel_size=3, strides=(1, 1), padding="SAME"
                    ),
                ]
            )

        def encode(self, x):
            return tf.split(self.inference_net(x), num_or_size_splits=2, axis=1)

    def log_normal_pdf(sample, mean, logvar):
        log2pi = tf.math.log(2.0 * np.pi)
        return tf.reduce_sum(
            -0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=1
        )

    model, x = CVAE(2), (images(4, 8, 8, 1) > 0.5).astype("f")

    def loss():
        mean, logvar = model.encode(x)
        z = tf.random.normal(shape=mean.shape) * tf.exp(logvar * 0.5) + mean
        logits = model.generative_net(z)
        cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=x)
        logpx_z = -tf.reduce_sum(cross_ent, axis=[1, 2, 3])
        return -tf.reduce_mean(
            logpx_z + log_normal_pdf(z, 0.0, 0.0) - log_normal_pdf(z, mean, logvar)
        )

    losses = trained(tf, model, loss, tf.keras.optimizers.Adam(1e-3))
    return {
        "losses": losses,
        "sample": tf.sigmoid(model.generative_net(tf.zeros([1, 2])))[0, :, :, 0],
    }


def pictures_by_skip_connections(tf):
    """An encoder-decoder with skip connections, trained on the absolute error."""
    tf.set_random_seed(6)
    layers = tf.keras.layers
    initializer = tf.random_normal_initializer(0.0, 0.02)

    class Down(tf.keras.Model):
        def __init__(self, filters, apply_batchnorm=True):
            super().__init__()
            self.apply_batchnorm = apply_batchnorm
            self.conv = layers.Conv2D(
                filters,
                4,
                strides=2,
                padding="same",
                kernel_initializer=initializer,
                use_bias=False,
            )
            if apply_batchnorm:
                self.norm = layers.BatchNormalization()

        def call(self, x, training):
            x = self.conv(x)
            if self.apply_batchnorm:
                x = self.norm(x, training=training)
            return tf.nn.leaky_relu(x)

    class Up(tf.keras.Model):
        def __init__(self, filters):
            super().__init__()
            self.conv = layers.Conv2DTranspose(
                filters,
                4,
                strides=2,
                padding="same",
                kernel_initializer=initializer,
                use_bias=False,
            )
            self.norm = layers.BatchNormalization()
            self.dropout = layers.Dropout(0.5, seed=1)

        def call(self, x1, x2, training):
            x = self.dropout(self.norm(self.conv(x1), training=training), training=training)
            return tf.concat([tf.nn.relu(x), x2], axis=-1)

    class Generator(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.down1, self.down2, self.down3 = Down(4, False), Down(8), Down(8)
            self.up1, self.up2 = Up(8), Up(4)
            self.last = layers.Conv2DTranspose(
                3, (4, 4), strides=(2, 2), padding="same", kernel_initializer=initializer
            )

        @tf.contrib.eager.defun
        def call(self, x, training):
            x1 = self.down1(x, training=training)
            x2 = self.down2(x1, training=training)
            x3 = self.down3(x2, training=training)
            x4 = self.up1(x3, x2, training=training)
            return tf.nn.tanh(self.last(self.up2(x4, x1, training=training)))

    generator, source, target = Generator(), images(1, 16, 16, 3), images(1, 16, 16, 3, seed=1)
    losses = trained(
        tf,
        generator,
        lambda: tf.reduce_mean(tf.abs(target - generator(source, training=True))),
        tf.train.AdamOptimizer(2e-4, beta1=0.5),
    )
    return {"losses": losses, "made": generator(source, training=False)[0, 0]}


def picture_in_the_style_of_another(tf):
    """The image is the variable: features of fixed convolutions and their Gram matrices."""
    kernels = [images(3, 3, 3, 4, seed=1) - 0.5, images(3, 3, 4, 4, seed=2) - 0.5]

    def features(image):
        found = []
        for kernel in kernels:
            image = tf.nn.relu(tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SAME"))
            found.append(image)
        return found

    def gram_matrix(tensor):
        a = tf.reshape(tensor, [-1, int(tensor.shape[-1])])
        return tf.matmul(a, a, transpose_a=True) / tf.cast(tf.shape(a)[0], tf.float32)

    content, style = images(1, 8, 8, 3, seed=3), images(1, 8, 8, 3, seed=4)
    wanted_content = features(content)[-1]
    wanted_style = [gram_matrix(f) for f in features(style)]
    image = tf.contrib.eager.Variable(content, dtype=tf.float32)
    opt = tf.train.AdamOptimizer(learning_rate=0.05, beta1=0.99, epsilon=1e-1)
    losses = []
    for _ in range(4):
        with tf.GradientTape() as tape:
            found = features(image)
            style_score = tf.add_n(
                [tf.reduce_mean(tf.square(gram_matrix(f) - g)) for f, g in zip(found, wanted_style)]
            )
            content_score = tf.reduce_mean(tf.square(found[-1] - wanted_content))
            loss = (
                10.0 * style_score
                + content_score
                + 1e-3 * tf.reduce_sum(tf.image.total_variation(image))
            )
        opt.apply_gradients([(tape.gradient(loss, image), image)])
        image.assign(tf.clip_by_value(image, 0.0, 1.0))
        losses.append([loss, style_score, content_score])
    return {"losses": losses, "image": image[0, 0]}


def words_by_their_neighbours(tf):
    """Embeddings trained by negative sampling; gather gradients are IndexedSlices."""
    tf.set_random_seed(7)
    rng = np.random.RandomState(0)
    embedding = tf.Variable(rng.uniform(-1, 1, (20, 6)).astype("f"), name="embedding")
    weights, biases = tf.Variable(rng.randn(20, 6).astype("f")), tf.Variable(tf.zeros([20]))
    opt = tf.train.AdagradOptimizer(0.5)
    losses, kinds = [], []
    for _ in range(3):
        centers, targets = rng.randint(0, 20, 8), rng.randint(0, 20, (8, 1))
        with tf.GradientTape() as tape:
            embed = tf.nn.embedding_lookup(embedding, centers)
            loss = tf.reduce_mean(
                tf.nn.sampled_softmax_loss(
                    weights=weights,
                    biases=biases,
                    labels=tf.constant(targets),
                    inputs=embed,
                    num_sampled=5,
                    num_classes=20,
                    seed=1,
                )
            )
        grads = tape.gradient(loss, [embedding, weights, biases])
        kinds.append(type(grads[0]).__name__)
        opt.apply_gradients(zip(grads, [embedding, weights, biases]))
        losses.append(loss)
    normed = tf.nn.l2_normalize(embedding, 1)
    near = tf.nn.top_k(tf.matmul(normed[:2], normed, transpose_b=True), 3)
    return {"losses": losses, "kinds": kinds, "near": near.indices, "how_near": near.values}


def policy_by_its_rewards(tf):
    """A corridor walk: sampled actions, discounted returns, gradients of an episode."""
    tf.set_random_seed(8)
    policy = tf.keras.Sequential(
        [tf.keras.layers.Dense(8, activation="tanh", input_shape=(2,)), tf.keras.layers.Dense(2)]
    )
    optimizer, lengths, totals = tf.train.RMSPropOptimizer(0.05), [], []
    for _ in range(4):
        position, rewards, log_probs = 0, [], []
        with tf.GradientTape() as tape:
            while abs(position) < 3 and len(rewards) < 15:
                logits = policy(tf.constant([[position / 3, 1.0]]))
                action = int(tf.multinomial(logits, 1)[0, 0])
                log_probs.append(tf.nn.log_softmax(logits)[0, action])
                position += 1 if action else -1
                rewards.append(1.0 if position == 3 else -0.1)
            returns = [
                sum(0.9**i * r for i, r in enumerate(rewards[t:])) for t in range(len(rewards))
            ]
            loss = -tf.reduce_sum(tf.stack(log_probs) * returns)
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, policy.variables), 1.0)
        optimizer.apply_gradients(zip(grads, policy.variables))
        lengths.append(len(rewards))
        totals.append([loss, norm])
    return {"lengths": lengths, "losses": totals}
