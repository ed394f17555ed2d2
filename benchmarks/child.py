"""What is measured in a process of its own: ``python -m aef.benchmarks.child TASK ...`` prints a JSON object."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

Found = dict[str, Any]


def _texts(gold: str, every: int = 1) -> list[str]:
    with Path(gold).open(encoding="utf-8") as stream:
        return [json.loads(line)["text"] for line in stream][::every]


def _one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def tag(gold: str, model: str) -> Found:
    """Raw text to mentions."""
    _one_core()
    texts = _texts(gold)
    began = time.process_time()
    import pandas  # noqa: F401  what features import at their first use; imports are aside for all

    from aef.corpus_tools.document import Document
    from aef.tagging.finder import Finder

    finder = Finder.load(model)
    ready = time.process_time()
    tagged = finder.tag_all([Document.from_text(text, str(i)) for i, text in enumerate(texts)])
    seconds = time.process_time() - ready
    mentions = sum(len(document.mentions) for document in tagged)
    return {"seconds": seconds, "ready": ready - began, "mentions": mentions, "characters": sum(map(len, texts))}


def spacy(gold: str, every: str) -> Found:
    """spaCy's tokenizer for English and nothing else."""
    _one_core()
    texts = _texts(gold, int(every))
    try:
        import spacy
    except ImportError:
        return {"missing": "spacy"}
    nlp = spacy.blank("en")
    began = time.process_time()
    tokens = sum(len(nlp.make_doc(text)) for text in texts)
    return {"seconds": time.process_time() - began, "tokens": tokens, "characters": sum(map(len, texts))}


def presidio(gold: str, every: str) -> Found:
    """Presidio's analyzer with its predefined pattern recognizers on spaCy's blank pipeline (no statistical model)."""
    _one_core()
    texts = _texts(gold, int(every))
    try:
        analyzer = _analyzer()
    except ImportError:
        return {"missing": "presidio-analyzer"}
    began = time.process_time()
    found = sum(len(analyzer.analyze(text=text, language="en")) for text in texts)
    return {"seconds": time.process_time() - began, "found": found, "characters": sum(map(len, texts))}


def _analyzer() -> Any:
    import logging

    import spacy
    import tldextract
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

    logging.disable(logging.WARNING)
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())  # its own list of suffixes, nothing fetched
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"])
    registry.remove_recognizer("SpacyRecognizer")
    return AnalyzerEngine(nlp_engine=Blank(), registry=registry, supported_languages=["en"])


def _copies(gold: str, copies: int) -> list[Any]:
    """The corpus so many times, under other ids; each copy is read by itself and shares no memory with the others."""
    from aef.benchmarks.corpus import repeated
    from aef.corpus_tools.gold.corpora import read_gold

    return [d for number in range(copies) for d in repeated(read_gold(gold), number + 1)]


def _memory() -> float:
    """The most memory this process has held, in GB."""
    try:
        import resource
    except ImportError:  # not on Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak * (1 if sys.platform == "darwin" else 1024) / 1e9)


def grow(gold: str, model: str, copies: str) -> Found:
    """Index, training and tagging, one after the other; the corpus is read anew for tagging."""
    from aef.benchmarks.measure import timed
    from aef.classifiers.maxent import MaxEntClassifier
    from aef.tagging.finder import Finder

    index, (events, tags) = timed(partial(Finder("thesis", "all").events, _copies(gold, int(copies))))
    train, _ = timed(partial(MaxEntClassifier(C=3.0).fit, events, tags == "A"))
    del events, tags
    tag, _ = timed(partial(Finder.load(model).tag_all, _copies(gold, int(copies))))
    return {"index": index, "train": train, "tag": tag, "memory": _memory()}


def fit(gold: str, copies: str) -> Found:
    """All that training means to a user: index, the threshold by cross-validation, the models."""
    from aef.benchmarks.measure import timed
    from aef.tagging.finder import Finder

    documents = _copies(gold, int(copies))
    return {"fit": timed(lambda: Finder("thesis", "all").fit(documents))[0], "fit_memory": _memory()}


def select(gold: str, copies: str, jobs: str, features: str) -> Found:
    """A floating selection to 16 features."""
    from aef import lexicons
    from aef.features import feature_names
    from aef.learning.selection import Criterion
    from aef.learning.selection import select as select_features

    names = feature_names(features)
    documents = _copies(gold, int(copies))
    began = time.perf_counter()
    criterion = Criterion(documents, names, "all", lexicons.load_all())
    ready, spent = time.perf_counter(), time.process_time()
    done = select_features(criterion, "sffs", min(16, len(names) - 5), int(jobs))
    seconds, spent = time.perf_counter() - ready, time.process_time() - spent
    found = {"seconds": seconds, "processor": spent, "ready": ready - began, "memory": _memory()}
    return found | {"evaluations": done.evaluations, "jobs": int(jobs)}


TASKS: dict[str, Callable[..., Found]] = {task.__name__: task for task in (tag, spacy, presidio, grow, fit, select)}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
