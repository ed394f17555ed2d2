"""How the site is built: ``pip install '.[docs]'``, then ``sphinx-build -W docs docs/_built/html``.

Furo is the theme: it has its styles and scripts with it and takes the system's fonts, so that the site can be read
without a network, and it has a dark and a light side.
"""

from __future__ import annotations

import sys
from pathlib import Path

import aef

sys.path.insert(0, str(Path(__file__).parent))

project, author = "aef", "the aef project"
release = version = aef.__version__
project_copyright = "the aef project, Apache-2.0"
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "myst_nb",
    "building.site",
]
exclude_patterns = ["conf.py", "_built", "building", "course/exercise.py", "**.ipynb_checkpoints"]

html_theme = "furo"
html_title = "aef, the Anonymizable Entity Finder"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["slides.js"]
html_math_renderer = "mathml"  # Sphinx's own fetch their code from elsewhere
html_copy_source = False
html_show_sphinx = False
smartquotes = False  # "[...]" is a label here, and stays one

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3
suppress_warnings = ["mystnb.unknown_mime_type"]

# The course: Python files that an editor opens as notebooks, run when the site is built.
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext", ".py": "myst-nb"}
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "cache"
nb_execution_cache_path = str(Path(__file__).parent / "_built" / "notebooks")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_execution_excludepatterns = ["*.md"]
nb_merge_streams = True
nb_ipywidgets_js = {}  # fetched from elsewhere; no notebook has widgets

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
default_role = "py:obj"
napoleon_use_ivar = True
napoleon_use_rtype = False
python_use_unqualified_type_names = True
