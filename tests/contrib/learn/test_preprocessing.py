"""Documents as integer rows: TensorFlow 1.15.5's for the same documents."""

import pickle

import numpy as np
import pytest

from tfmini import contrib
from tfmini._src.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary
from tfmini._src.contrib.learn.preprocessing.vocabulary_processor import ByteProcessor, tokenizer

VocabularyProcessor = contrib.learn.preprocessing.VocabularyProcessor
DOCUMENTS = [
    "I've a cat",
    "a Cat, a DOG and NewYork's 3-year USAToday",
    "",
    "naïve cat cat dog dog a a",
    "tooLong " * 5,
]


def test_words_are_numbered_by_first_use():
    processor = VocabularyProcessor(6)
    rows = list(processor.fit_transform(DOCUMENTS))
    assert np.array(rows).tolist() == [
        [1, 2, 3, 0, 0, 0],
        [2, 4, 2, 5, 6, 7],
        [0, 0, 0, 0, 0, 0],
        [12, 3, 3, 13, 13, 2],
        [14, 14, 14, 14, 14, 0],
    ]
    assert rows[0].dtype == np.int64 and len(processor.vocabulary_) == 15
    words = ["I've a cat <UNK> <UNK> <UNK>", "a Cat a DOG and New"]
    assert list(processor.reverse(rows[:2])) == words
    assert np.array(list(processor.transform(["new cat"]))).tolist() == [[0, 3, 0, 0, 0, 0]]


def test_rare_words_are_unknown_and_others_sorted_by_frequency():
    processor = VocabularyProcessor(4, min_frequency=1)
    rows = list(processor.fit_transform(DOCUMENTS))
    expected = [[0, 1, 3, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 3, 3, 4], [2, 2, 2, 2]]
    assert np.array(rows).tolist() == expected
    assert len(processor.vocabulary_) == 5
    assert processor.fit([]) is processor


def test_custom_tokenizer():
    processor = VocabularyProcessor(5, 2, tokenizer_fn=lambda found: (d.split("a") for d in found))
    rows = np.array(list(processor.fit_transform(DOCUMENTS)))
    assert rows[:, 0].tolist() == [0, 1, 1, 0, 0] and not rows[:, 1:].any()


def test_custom_vocabulary(tmp_path):
    vocabulary = CategoricalVocabulary("?", support_reverse=False)
    for word in ["b", "a", 3, 2, "b", "c", "c", "c"]:
        vocabulary.add(word, 2)
    vocabulary.trim(2, 6)
    assert len(vocabulary) == 2
    assert [vocabulary.get(word) for word in ["a", "b", "c", 2, "new"]] == [2, 1, 3, 4, 5]
    processor = VocabularyProcessor(3, vocabulary=vocabulary)
    assert [row.tolist() for row in processor.transform(["b x y"])] == [[1, 6, 7]]
    processor.save(str(tmp_path / "vocab"))
    again = VocabularyProcessor.restore(str(tmp_path / "vocab"))
    assert [row.tolist() for row in again.transform(["y b"])] == [[7, 1, 0]]
    vocabulary.freeze()
    assert vocabulary.get("later") == 0
    with pytest.raises(ValueError, match="wasn't initialized with support_reverse"):
        vocabulary.reverse(1)


def test_byte_processor():
    processor = ByteProcessor(5)
    rows = list(processor.fit_transform(["aé", b"abcdefg", "abcdé"]))
    assert processor.fit([]) is None
    assert rows[0].tolist() == [97, 195, 169, 0, 0] and rows[2].tolist() == [97, 98, 99, 100, 195]
    assert list(processor.reverse(rows)) == ["aé", "abcde", ""]


def test_tokenizer():
    assert list(tokenizer(["ABCd eF_g-h"])) == [["AB", "Cd", "eF_g-h"]]


def test_categorical_processor():
    """Expected values are TensorFlow 1.15.5's."""
    processing = contrib.learn.preprocessing
    rows = [["a", 1], ["b", 2], ["a", float("nan")], ["c", 2]]
    processor = processing.CategoricalProcessor()
    assert [list(row) for row in processor.fit_transform(rows)] == [[1, 1], [2, 2], [1, 0], [3, 2]]
    again = pickle.loads(pickle.dumps(processor))
    assert [list(row) for row in again.transform([["b", 7]])] == [[2, 0]]
    assert again.vocabularies_[0].reverse(3) == "c"
    rare = processing.CategoricalProcessor(min_frequency=1)
    assert [list(row) for row in rare.fit_transform(rows)] == [[1, 0], [0, 1], [1, 0], [0, 1]]
    shared = processing.CategoricalProcessor(share=True).fit([["x", "y"], ["y", "z"]])
    assert shared.vocabularies_[0] is shared.vocabularies_[1]
    shared.freeze(False)
    assert [list(row) for row in shared.fit([["w", "x"]]).transform([["w", "z"]])] == [[4, 3]]
