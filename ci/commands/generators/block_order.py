"""The order of text blocks in a compressed file: similar ones next to each other, for a compressor's short window."""

import collections

MAX_BLOCKS = 60  # a word of more blocks does not make two of them similar


def similar_order(blocks):
    """The names of the blocks: each is followed by the remaining one with the most words in common, for its size.

    Args:
      blocks: {name: text}.
    """
    words = {name: set(text.split()) for name, text in blocks.items()}
    holders = collections.defaultdict(list)
    for name in blocks:
        for word in words[name]:
            holders[word].append(name)
    remaining, order = dict.fromkeys(sorted(blocks)), []
    while remaining:
        name = next(iter(remaining))
        while name is not None:
            del remaining[name]
            order.append(name)
            shared = collections.Counter()  # letters
            for word in words[name]:
                if len(holders[word]) < MAX_BLOCKS:
                    for other in holders[word]:
                        if other in remaining:
                            shared[other] += len(word)
            name = max(
                shared,
                key=lambda other: (shared[other] / (1 + len(blocks[other])) ** 0.5, other),
                default=None,
            )
    return order
