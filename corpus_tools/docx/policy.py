"""What happens to what in a DOCX, at one place: tables of parts, relations, elements, attributes and their policies.

What no table names is unknown, and nothing unknown passes: an unknown part or relation is dropped, and so is an element
of an unknown namespace. Wherever something is kept, hidden names in it are replaced.
"""

from __future__ import annotations

import re
from enum import StrEnum

from aef.corpus_tools.metadata.format_words import words


class Policy(StrEnum):
    """What happens to a part or an element."""

    TEXT = "text of the ruling: read, and replaced where a mention is hidden"
    NAMES = "kept, hidden names in it replaced"
    PICTURE = "kept without its metadata; blank where a hidden name can still be read in its bytes"
    DROP = "taken out, with what refers to it"
    UNWRAP = "taken out, what it holds stays"


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_DRAWING = "application/vnd.openxmlformats-officedocument.drawingml."
_OFFICE = "application/vnd.openxmlformats-officedocument."
_PACKAGE = "application/vnd.openxmlformats-package."

PARTS: dict[str, Policy] = {
    _WORD + "document.main+xml": Policy.TEXT,
    _WORD + "header+xml": Policy.TEXT,
    _WORD + "footer+xml": Policy.TEXT,
    _WORD + "footnotes+xml": Policy.TEXT,
    _WORD + "endnotes+xml": Policy.TEXT,
    _WORD + "comments+xml": Policy.TEXT,
    _WORD + "styles+xml": Policy.NAMES,
    _WORD + "numbering+xml": Policy.NAMES,
    _WORD + "settings+xml": Policy.NAMES,
    _WORD + "fontTable+xml": Policy.NAMES,
    _OFFICE + "theme+xml": Policy.NAMES,
    _OFFICE + "themeOverride+xml": Policy.NAMES,
    _OFFICE + "extended-properties+xml": Policy.NAMES,
    _PACKAGE + "core-properties+xml": Policy.NAMES,
    _DRAWING + "chart+xml": Policy.NAMES,
    _DRAWING + "chartshapes+xml": Policy.NAMES,
    "application/vnd.ms-office.chartstyle+xml": Policy.NAMES,
    "application/vnd.ms-office.chartcolorstyle+xml": Policy.NAMES,
    _DRAWING + "diagramData+xml": Policy.NAMES,
    _DRAWING + "diagramLayout+xml": Policy.NAMES,
    _DRAWING + "diagramStyle+xml": Policy.NAMES,
    _DRAWING + "diagramColors+xml": Policy.NAMES,
    "application/vnd.ms-office.drawingml.diagramDrawing+xml": Policy.NAMES,
    "image/png": Policy.PICTURE,
    "image/jpeg": Policy.PICTURE,
    "image/jpg": Policy.PICTURE,
    "image/gif": Policy.PICTURE,
    "image/bmp": Policy.PICTURE,
    "image/tiff": Policy.PICTURE,
    "image/x-emf": Policy.PICTURE,
    "image/x-wmf": Policy.PICTURE,
}
"""By content type; what is not here is dropped."""

REFUSED: dict[bytes, tuple[str, str]] = {
    b"application/vnd.ms-word.document.macroEnabled": (
        "is a document with macros",
        "Save it as DOCX, which holds none",
    ),
    b"wordprocessingml.template": ("is a template", "Save it as DOCX"),
    b"application/vnd.ms-word.template": ("is a template", "Save it as DOCX"),
}
"""The files that are refused, by what stands in the package's relations or content types: the problem, the remedy.

Refused as well, by `aef.corpus_tools.docx.package`: encrypted and damaged files, document types and entities, archive
bombs, two parts of one name, and names that lead out of the package."""

_RELATIONS = {
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/": (
        "officeDocument extended-properties styles numbering settings fontTable theme themeOverride header footer "
        "footnotes endnotes comments image hyperlink chart chartUserShapes diagramData diagramLayout diagramQuickStyle "
        "diagramColors"
    ),
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/": "core-properties",
    "http://schemas.microsoft.com/office/2007/relationships/": "diagramDrawing",
    "http://schemas.microsoft.com/office/2011/relationships/": "chartStyle chartColorStyle",
}
RELATIONS = frozenset(prefix + kind for prefix, kinds in _RELATIONS.items() for kind in kinds.split())
"""The types of relations that are kept: not a thumbnail, a template, a source of a mail merge, custom XML ..."""

KNOWN_DROPS = words(
    "aFChunk attachedTemplate attachedToolbars audio classificationlabels commentsExtended commentsIds "
    "commentsExtensible control ctrlProp custom-properties customXml customXmlProps font frame glossaryDocument "
    "keyMapCustomizations mailMergeSource mailMergeHeaderSource mailMergeRecipientData oleObject origin package people "
    "printerSettings recipientData signature slicer stylesWithEffects subDocument thumbnail transform vbaProject video "
    "webSettings webextension webextensiontaskpanes wordVbaData xmlMaps activeXControlBinary chartEx svgImage hdphoto "
    "image header footer hyperlink"
)
"""What a report may call the relations that are dropped, by the last word of their type."""

LINKS = frozenset(kind for kind in RELATIONS if kind.endswith(("/hyperlink", "/image")))
"""The types of relations that may lead out of the package; a target that holds a hidden name, or is a file on
somebody's machine, becomes ``about:blank``."""

NOWHERE = "about:blank"

REFERRERS: dict[str, Policy | str] = {
    "OLEObject": "its picture stays",
    "chart": "drawing",
    "relIds": "drawing",
    "svgBlip": "ext",
    **dict.fromkeys(
        [
            "altChunk",
            "subDoc",
            "attachedTemplate",
            "embedRegular",
            "embedBold",
            "embedItalic",
            "embedBoldItalic",
            "externalData",
            "control",
            "movie",
            "hlinkClick",
            "hlinkHover",
            "headerReference",
            "footerReference",
            "userShapes",
            "printerSettings",
            "contentPart",
            "dataModelExt",
            "webExtensionRef",
            "sourceFileName",
            "audioFile",
            "videoFile",
            "wavAudioFile",
            "quickTimeFile",
        ],
        Policy.DROP,
    ),
}
"""What becomes of an element whose relation is dropped: it goes, or an element around it goes; others lose the
reference alone."""

ELEMENTS: dict[str, Policy] = {
    **dict.fromkeys(["smartTag", "customXml"], Policy.UNWRAP),
    **dict.fromkeys(
        # who may edit; where the ruling came from; what fills it again
        [
            "smartTagPr",
            "customXmlPr",
            "permStart",
            "permEnd",
            "signatureline",
            "rsids",
            "rsid",
            "attachedTemplate",
            "mailMerge",
            "docVars",
            "dataBinding",
            "saveThroughXslt",
            "smartTagType",
            "attachedSchema",
            "schemaLibrary",
            "divId",
            "placeholder",
            "sourceFileName",
            "documentType",
            "webExtensionLinked",
            "webExtensionCreated",
            "docPartCategory",
            "linkedToFile",
            "frameset",
        ],
        Policy.DROP,
    ),
}
"""By local name, in every kept part."""

REVISIONS: dict[str, Policy] = {
    **dict.fromkeys(["ins", "moveTo"], Policy.UNWRAP),
    **dict.fromkeys(
        [
            "del",
            "moveFrom",
            "moveFromRangeStart",
            "moveFromRangeEnd",
            "moveToRangeStart",
            "moveToRangeEnd",
            "customXmlInsRangeStart",
            "customXmlInsRangeEnd",
            "customXmlDelRangeStart",
            "customXmlDelRangeEnd",
            "customXmlMoveFromRangeStart",
            "customXmlMoveFromRangeEnd",
            "customXmlMoveToRangeStart",
            "customXmlMoveToRangeEnd",
            "conflictIns",
            "conflictDel",
            "numberingChange",
            "pPrChange",
            "rPrChange",
            "sectPrChange",
            "tblPrChange",
            "tblPrExChange",
            "tblGridChange",
            "tcPrChange",
            "trPrChange",
            "cellIns",
            "cellMerge",
        ],
        Policy.DROP,
    ),
}
"""Tracked changes are accepted: what was put in stays, what was taken out goes. By local name."""

BLANK_ATTRIBUTES = words("author initials userId providerId")
"""Who wrote a comment: never of the ruling."""

DROPPED_ATTRIBUTES = words("rsid* docLocation gfxdata equationxml macro dateUtc")
"""Revision ids, targets of links in old files, and what stands for a drawing in letters and digits."""

PROPERTIES = {
    "coreProperties": words("title subject description keywords category revision created modified language"),
    "Properties": frozenset(
        [
            "Application",
            "AppVersion",
            "DocSecurity",
            "Pages",
            "Words",
            "Characters",
            "CharactersWithSpaces",
            "Lines",
            "Paragraphs",
            "TotalTime",
            "ScaleCrop",
            "LinksUpToDate",
            "SharedDoc",
            "HyperlinksChanged",
        ]
    ),
}
"""The properties that are kept, blank where they hold a hidden name; by the root element."""

NAMESPACES = re.compile(
    r"http://schemas\.openxmlformats\.org/[A-Za-z0-9/._-]+|http://schemas\.microsoft\.com/office/[A-Za-z0-9/._-]+"
    r"|urn:schemas-microsoft-com:(?:vml|office:office|office:word|office:excel|office:powerpoint)"
    r"|http://purl\.org/dc/[A-Za-z0-9/.-]*|http://www\.w3\.org/(?:XML/1998/namespace|2001/XMLSchema-instance)|"
)
"""Those whose elements are kept."""

_PART_NAME = re.compile(
    r"/(?:docProps/(?:core|app)|word/(?:document|styles|numbering|settings|fontTable"
    r"|(?:header|footer|footnotes|endnotes|comments)\d*|theme/theme\d*|theme/themeOverride\d*|media/image\d+"
    r"|charts/(?:chart|style|colors)\d*|drawings/drawing\d*|diagrams/(?:data|layout|quickStyle|colors|drawing)\d*))\.\w+"
)


def plain_name(name: str) -> bool:
    """Whether a part has a name as word processors give it; others are renamed."""
    return _PART_NAME.fullmatch(name) is not None
