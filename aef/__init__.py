'''aef, the Anonymizable Entity Finder: learns from pairs of rulings what must be hidden, and hides it.

Everything below stands in ``aef`` itself, in the order in which it is needed. ``help(aef.anonymize)`` says the rest.

Hide
    `anonymize` writes a ruling again, safe to publish. `explain` says why each word is hidden, or stays. `Recipe` says
    how as plain values, for many rulings. `Case` keeps labels the same in all rulings of a case, and `restore` brings
    an original back. `Session` asks an editor what is worth asking.

    >>> import aef
    >>> from pathlib import Path
    >>> text = "[1] The applicant, Ms. Anna Zwetkow, filed a petition. Ms. Zwetkow did not appear."
    >>> _ = Path("ruling.txt").write_text(text)
    >>> result = aef.anonymize("ruling.txt", "safe.txt")
    >>> Path("safe.txt").read_text()
    '[1] The applicant, Ms. A.Z., filed a petition. Ms. A.Z. did not appear.'
    >>> result.people
    {'A.Z.': ['Anna Zwetkow', 'Zwetkow']}
    >>> [word.why for word in aef.explain("ruling.txt", "Anna").words]
    ['party, which the policy lexum hides']

Read
    `read` makes a `Document` of a file, which has a text and `Mention`s. `read_gold` and `write_gold` are for corpora,
    `align` makes one of an original and its anonymized version.

    >>> ruling = aef.read("ruling.txt")
    >>> ruling.words[:5]
    ['The', 'applicant', 'Ms.', 'Anna', 'Zwetkow']
    >>> pair = aef.align(ruling, aef.read("safe.txt")).document
    >>> [pair.cut(mention) for mention in pair.mentions]
    ['Anna Zwetkow', 'Zwetkow']

Find
    `Finder` learns what must be hidden (`fit`) and finds it (`tag`); without anything learned, `Finder.load()` is the
    ready-made English model. `Nome` is the baseline of capital letters. `link` tells which mentions name one person.

    >>> found = aef.Finder.load().tag(ruling)
    >>> [(found.cut(mention), mention.entity_type) for mention in found.mentions]
    [('Anna Zwetkow', 'PERSON'), ('Zwetkow', 'PERSON')]
    >>> aef.link(found).to_frame()["names"].tolist()
    ['Anna Zwetkow, Zwetkow']

Judge and choose
    `evaluate` compares with gold, `cross_validate` predicts each document by the others. `compare` sets other learners
    beside ours, `select` chooses features, `study` repeats the thesis. All have ``to_frame()`` and a plot.

    >>> figures = aef.evaluate([pair], [found], target="person")
    >>> figures.micro["recall"], figures.to_frame().columns.tolist()
    (1.0, ['micro', 'low', 'high', 'macro'])

scikit-learn
    `FeatureExtractor` is a transformer of documents, `MaxEntClassifier` a classifier of events, `Finder` an estimator
    whose samples are documents.

    >>> extractor = aef.FeatureExtractor("W0,FirstCap", target="person")
    >>> events, labels = extractor.fit_transform([pair]), extractor.labels([pair])
    >>> aef.MaxEntClassifier().fit(events, labels).score(events, labels) > 0.9
    True
    >>> aef.Finder("nine", target="person")
    Finder(features='nine', target='person')

Extend
    `feature`, `argument`, `scheme`, `annotator_kind`, `reader` and `pipeline` register what is yours; `aef.plugins`
    says how it is found. `InputError` is what a mistake in what was given raises, with the remedy.

    >>> @aef.feature
    ... def Zed(word: str) -> bool:
    ...     """Begins with Z.
    ...
    ...     >>> Zed("Zwetkow")
    ...     True
    ...     """
    ...     return word[:1] == "Z"
    >>> aef.FeatureExtractor("Zed").fit_transform([pair])[:, 0].tolist().count(0)
    2
'''

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"
TYPE_CHECKING = not __name__  # typing takes longer to import than all the rest; a plain False hides the block from jedi

if TYPE_CHECKING:  # what type checkers and editors see; `_WHERE` is the same for Python, and a test compares them
    from aef.annotators.kinds import annotator_kind as annotator_kind
    from aef.annotators.nome import Nome as Nome
    from aef.annotators.pipeline import pipeline as pipeline
    from aef.anonymization.run import anonymize as anonymize
    from aef.anonymization.why import explain as explain
    from aef.batch.recipe import Recipe as Recipe
    from aef.classifiers.maxent import MaxEntClassifier as MaxEntClassifier
    from aef.corpus_tools.alignment.run import align as align
    from aef.corpus_tools.document import Document as Document
    from aef.corpus_tools.document import Mention as Mention
    from aef.corpus_tools.formats.registry import reader as reader
    from aef.corpus_tools.gold.corpora import read_gold as read_gold
    from aef.corpus_tools.gold.corpora import write_gold as write_gold
    from aef.corpus_tools.rulings.readers import read as read
    from aef.editing.session import Session as Session
    from aef.errors import InputError as InputError
    from aef.evaluation.figures import evaluate as evaluate
    from aef.evaluation.folds import cross_validate as cross_validate
    from aef.features.registry import argument as argument
    from aef.features.registry import feature as feature
    from aef.learning.comparison.compare import compare as compare
    from aef.learning.feature_extractor import FeatureExtractor as FeatureExtractor
    from aef.learning.selection.run import select as select
    from aef.learning.study.run import study as study
    from aef.replacement.case_file import Case as Case
    from aef.replacement.restoration import restore as restore
    from aef.replacement.schemes import scheme as scheme
    from aef.reports.who_is_who import link as link
    from aef.tagging.finder import Finder as Finder

_WHERE = {
    "anonymize": "aef.anonymization.run",
    "explain": "aef.anonymization.why",
    "Recipe": "aef.batch.recipe",
    "Case": "aef.replacement.case_file",
    "restore": "aef.replacement.restoration",
    "Session": "aef.editing.session",
    "read": "aef.corpus_tools.rulings.readers",
    "Document": "aef.corpus_tools.document",
    "Mention": "aef.corpus_tools.document",
    "read_gold": "aef.corpus_tools.gold.corpora",
    "write_gold": "aef.corpus_tools.gold.corpora",
    "align": "aef.corpus_tools.alignment.run",
    "Finder": "aef.tagging.finder",
    "Nome": "aef.annotators.nome",
    "link": "aef.reports.who_is_who",
    "evaluate": "aef.evaluation.figures",
    "cross_validate": "aef.evaluation.folds",
    "compare": "aef.learning.comparison.compare",
    "select": "aef.learning.selection.run",
    "study": "aef.learning.study.run",
    "FeatureExtractor": "aef.learning.feature_extractor",
    "MaxEntClassifier": "aef.classifiers.maxent",
    "feature": "aef.features.registry",
    "argument": "aef.features.registry",
    "scheme": "aef.replacement.schemes",
    "annotator_kind": "aef.annotators.kinds",
    "reader": "aef.corpus_tools.formats.registry",
    "pipeline": "aef.annotators.pipeline",
    "InputError": "aef.errors",
}
"""Public names in the order of need and the module each comes from.

They are loaded when first asked for, so that the command line starts at once.
"""

__all__ = [*_WHERE, "__version__"]

if not TYPE_CHECKING:  # else every name would be there, of no type

    def __getattr__(name):
        if name not in _WHERE:
            raise AttributeError(f"module 'aef' has no attribute {name!r}")
        value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
