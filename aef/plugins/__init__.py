"""What others add: modules of other packages, found by entry points, and files of one's own that the user names.

A plug-in is a Python module that registers things when it is imported: features (`aef.feature`), replacement schemes
(`aef.scheme`), kinds of annotators (`aef.annotator_kind`), formats of rulings (`aef.reader`), pipelines
(`aef.pipeline`). A package makes its module known in the group `GROUP`::

    [project.entry-points."aef.plugins"]
    ours = "ours.aef_features"

A file is named by ``--plugin FILE.py``, by `load`, or in the environment variable `VARIABLE`, where processes that this
one starts find it, too. A plug-in runs code: nothing that is read (a model, a pipeline's file, an archive, a request)
can name one. What packages bring is imported when a name is asked for that nobody has registered yet, and when all
names are listed.
"""

from aef.plugins.loading import GROUP, VARIABLE, files, installed, load, more, origin, troubles

__all__ = ["GROUP", "VARIABLE", "files", "installed", "load", "more", "origin", "troubles"]
