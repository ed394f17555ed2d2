"""spaCy's named-entity recognizer, from nothing, on the CPU."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.evaluation.figures import target_mentions
from aef.learning.comparison.scoring import Options

UNTYPED = "HIDDEN"


class SpacyNer:
    """A blank pipeline with an ``ner`` component, `EPOCHS` passes over the training paragraphs, no vectors.

    It has no score a token, so that no threshold can be chosen. It learns the types of the mentions.
    """

    EPOCHS, DROPOUT = 10, 0.2

    def __init__(self, options: Options) -> None:
        self.options = options
        self.nlp: Any = None

    def fit(self, documents: Sequence[Document]) -> SpacyNer:
        import spacy
        from spacy.training import Example
        from spacy.util import compounding, fix_random_seed, minibatch

        fix_random_seed(self.options.seed)
        self.nlp = spacy.blank(self.options.language)
        self.nlp.add_pipe("ner")
        examples = [Example(self.nlp.make_doc(doc.text), doc) for doc in self._paragraphs(documents)]
        if not any(example.reference.ents for example in examples):
            raise InputError(f"spaCy: the training documents hold nothing to hide for target '{self.options.target}'")
        optimizer = self.nlp.initialize(lambda: examples)
        shuffling = random.Random(self.options.seed)
        for _ in range(self.EPOCHS):
            shuffling.shuffle(examples)
            for batch in minibatch(examples, compounding(8.0, 64.0, 1.01)):
                self.nlp.update(batch, sgd=optimizer, drop=self.DROPOUT)
        return self

    def _paragraphs(self, documents: Sequence[Document]) -> Iterator[Any]:
        """The paragraphs as spaCy's documents, with the target mentions as entities."""
        from spacy.util import filter_spans

        for document in documents:
            wanted = target_mentions(document, self.options.target)
            for block in document.blocks:
                doc = self.nlp.make_doc(document.text[block.start : block.end])
                spans = [
                    doc.char_span(
                        m.start - block.start, m.end - block.start, m.entity_type or UNTYPED, "", None, "expand"
                    )
                    for m in wanted
                    if block.start <= m.start and m.end <= block.end
                ]
                doc.ents = filter_spans([span for span in spans if span])
                yield doc

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it."""
        texts = [document.text[block.start : block.end] for block in document.blocks]
        return document.with_mentions(
            Mention(
                block.start + entity.start_char,
                block.start + entity.end_char,
                None if entity.label_ == UNTYPED else entity.label_,
            )
            for block, doc in zip(document.blocks, self.nlp.pipe(texts), strict=True)
            for entity in doc.ents
        )

    def saved(self) -> bytes:
        model: bytes = self.nlp.to_bytes()
        return model
