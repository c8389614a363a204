"""Predicts whether income exceeds a threshold from census rows, with a wide and deep Estimator, exported and served.

    python examples/census.py [--rows 8000] [--steps 600]

The rows are drawn from a synthetic population and written as CSV, which the input functions read like a real census.
The wide part memorizes feature combinations, the deep part generalizes over feature embeddings.
"""

import argparse
import csv
import os
import tempfile

import numpy as np

import tfmini as tf

COLUMNS = ("age", "hours", "schooling", "job", "married", "earns_more")
DEFAULTS = [[0.0], [0.0], [""], [""], [""], [""]]
SCHOOLING = ["none", "school", "college", "doctorate"]
JOBS = ["clerk", "farmer", "nurse", "engineer", "manager", "driver", "cook", "teacher"]


def write_rows(path, count, seed):
    """Writes rows of people; income depends on the other columns and on random noise."""
    random = np.random.RandomState(seed)
    age, hours = random.uniform(17, 80, count), np.clip(random.normal(40, 12, count), 1, 90)
    schooling, job = random.randint(0, 4, count), random.randint(0, len(JOBS), count)
    married = random.uniform(size=count) < 0.5
    of_job = np.array([-1.0, -1.5, -0.5, 1.0, 1.5, -1.0, -1.2, 0.0])[job]
    score = 0.06 * (hours - 40) + 0.9 * (schooling - 1.5) + of_job + 0.8 * married
    score += 1.5 - ((age - 48) / 18) ** 2  # middle-aged
    score += 1.5 * ((job == 1) & (schooling == 3))  # a combination that neither feature predicts
    more = score + random.logistic(0, 0.4, count) > 0.5
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        for i in range(count):
            row = [f"{age[i]:.0f}", f"{hours[i]:.0f}", SCHOOLING[schooling[i]], JOBS[job[i]]]
            writer.writerow([*row, "yes" if married[i] else "no", ">50K" if more[i] else "<=50K"])


def rows_of(path, batch_size, repeated):
    """An input function: features by name, and labels."""

    def parse(line):
        features = dict(zip(COLUMNS, tf.decode_csv(line, DEFAULTS)))
        label = features.pop("earns_more")
        return features, label

    def input_fn():
        rows = tf.data.TextLineDataset(path)
        if repeated:
            rows = rows.shuffle(2000, seed=1).repeat()
        return rows.batch(batch_size).map(parse)

    return input_fn


def model_columns():
    """The columns of the wide half, and of the deep one."""
    of = tf.feature_column
    age, hours = of.numeric_column("age"), of.numeric_column("hours")
    schooling = of.categorical_column_with_vocabulary_list("schooling", SCHOOLING)
    job = of.categorical_column_with_hash_bucket("job", 100)
    married = of.categorical_column_with_vocabulary_list("married", ["no", "yes"])
    ages = of.bucketized_column(age, [20, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    wide = [schooling, job, married, ages, of.crossed_column(["schooling", "job"], 200)]
    deep = [
        of.numeric_column("age", normalizer_fn=lambda x: (x - 48) / 18),
        of.numeric_column("hours", normalizer_fn=lambda x: (x - 40) / 12),
        of.indicator_column(schooling),
        of.indicator_column(married),
        of.embedding_column(job, 4),
    ]
    return wide, deep, [age, hours, schooling, job, married]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=8000, help="number of training rows")
    parser.add_argument("--steps", type=int, default=600, help="number of training steps")
    parser.add_argument(
        "--model", help="model directory, which is kept; shared by the tasks of a cluster"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = args.model or os.path.join(folder, "model")
        train, test = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
        write_rows(train, args.rows, seed=0)
        write_rows(test, args.rows // 4, seed=1)

        wide, deep, parsed = model_columns()
        estimator = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=wide,
            linear_optimizer=tf.train.FtrlOptimizer(0.1),
            dnn_feature_columns=deep,
            dnn_optimizer=tf.train.AdamOptimizer(0.003),
            dnn_hidden_units=[32, 16],
            label_vocabulary=["<=50K", ">50K"],
            config=tf.estimator.RunConfig(model, tf_random_seed=0),
            loss_reduction=tf.losses.Reduction.MEAN,
        )
        exporter = tf.estimator.FinalExporter(
            "census",
            tf.estimator.export.build_parsing_serving_input_receiver_fn(
                tf.feature_column.make_parse_example_spec(parsed)
            ),
        )
        done = tf.estimator.train_and_evaluate(
            estimator,
            tf.estimator.TrainSpec(rows_of(train, 100, True), max_steps=args.steps),
            tf.estimator.EvalSpec(
                rows_of(test, 500, False),
                steps=None,
                exporters=exporter,
                start_delay_secs=10,
                throttle_secs=10,
            ),
        )
        tf.summary.FileWriterCache.clear()
        if done is None:  # a task of a cluster: its evaluator wrote the results for TensorBoard
            return
        results, exported = done
        base, right = results["accuracy_baseline"], results["accuracy"]
        print(f"{right:.1%} right, baseline {base:.1%}; AUC {results['auc']:.3f}")

        predict = tf.contrib.predictor.from_saved_model(exported[0].decode(), "predict")
        people = [
            {"age": 45.0, "hours": 60.0, "schooling": "doctorate", "job": "manager"},
            {"age": 19.0, "hours": 20.0, "schooling": "none", "job": "cook"},
        ]
        examples = [example_of({**person, "married": "yes"}) for person in people]
        odds = predict({"examples": examples})["probabilities"][:, 1]
        for person, chance in zip(people, odds):
            print(f"a {person['job']} of {person['age']:.0f}: {chance:.0%}")


def example_of(person):
    """A person as a serialized tf.train.Example, the input of the served model."""
    features = {}
    for name, value in person.items():
        if isinstance(value, str):
            one = tf.train.BytesList(value=[value.encode()])
            features[name] = tf.train.Feature(bytes_list=one)
        else:
            features[name] = tf.train.Feature(float_list=tf.train.FloatList(value=[value]))
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


if __name__ == "__main__":
    main()
