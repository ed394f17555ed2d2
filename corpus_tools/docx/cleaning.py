"""A DOCX made safe to publish beside its text: what the tables of `aef.corpus_tools.docx.policy` say, done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from lxml import etree

from aef.corpus_tools.docx.fates import BLANKED, PREFIXES, Fates
from aef.corpus_tools.docx.policy import (
    KNOWN_DROPS,
    LINKS,
    NOWHERE,
    PARTS,
    PROPERTIES,
    REFERRERS,
    RELATIONS,
    Policy,
    plain_name,
)
from aef.corpus_tools.docx.xml import MC, R, W, kinds, local, own_text, remove, set_own_text, space, unwrap
from aef.corpus_tools.metadata.pictures import blank, stripped
from aef.corpus_tools.metadata.telling import Telling
from aef.corpus_tools.name_search.hidden_names import HiddenNames

_ON_A_MACHINE = re.compile(r"file:|[A-Za-z]:[\\/]|\\\\|/(?:home|users)/", re.IGNORECASE)
_SUFFIXES = {"image/jpeg": "jpg", "image/jpg": "jpg", "image/x-emf": "emf", "image/x-wmf": "wmf"}

Roots = Callable[[Any], Any]
"""The root element of a part; None where it is no XML."""


def clean(package: Any, telling: Telling, root_of: Roots) -> list[str]:
    """Take out of a package what is not kept; returns the names of the dropped parts and relations."""
    fates = Fates(telling)
    dropped = _drop_relations(package.rels, None, root_of)
    for part in package.iter_parts():
        dropped += _drop_relations(part.rels, root_of(part), root_of)
    for part in package.iter_parts():
        root = root_of(part)
        if root is not None:
            _rename_relations(part.rels, root)
            _clean_elements(root, fates)
        elif PARTS[part.content_type] is Policy.PICTURE:
            _clean_picture(part, telling.names)
    for rels in _relations(package):
        for rel in rels.values():
            if rel.is_external and (_ON_A_MACHINE.match(rel.target_ref) or telling.names(_spelled(rel.target_ref))):
                rel._target = NOWHERE
    _rename_parts(package)
    return sorted(set(dropped))


def _spelled(target: str) -> str:
    """A link's target with capitals, too, for in an address a name is written without."""
    return f"{target} {target.title()}"


def _relations(package: Any) -> Iterator[Any]:
    yield package.rels
    for part in package.iter_parts():
        yield part.rels


# --- relations and parts --------------------------------------------------------------------------------------------


def _drop_relations(rels: Any, root: Any, root_of: Roots) -> list[str]:
    lost = {key: rel for key, rel in rels.items() if not _kept(rel, root_of)}
    for key in lost:
        del rels[key]
    if root is not None and lost:
        _drop_referrers(root, lost.keys())
    return [_kind(rel) for rel in lost.values()]


def _kind(rel: Any) -> str:
    """What a relation leads to, in a word; one that is not known may be called anything."""
    kind = str(rel.reltype.rpartition("/")[2])
    return kind if kind in KNOWN_DROPS else "unknown"


def _kept(rel: Any, root_of: Roots) -> bool:
    if rel.reltype not in RELATIONS:
        return False
    if rel.is_external:
        return rel.reltype in LINKS
    policy = PARTS.get(rel.target_part.content_type, Policy.DROP)
    # what says it is XML has to be, and a picture none: else nobody would look into it
    return policy is not Policy.DROP and (policy is Policy.PICTURE) == (root_of(rel.target_part) is None)


def _drop_referrers(root: Any, lost: Any) -> None:
    referring = dict.fromkeys(key.getparent() for key in _REFERENCES(root) if key in lost)
    for element in referring:
        keys = [key for key, value in element.attrib.items() if value in lost and _refers(key)]
        what = REFERRERS.get(local(element.tag))
        for key in keys:
            del element.attrib[key]
        if what is Policy.DROP:
            remove(element)
        elif local(element.tag) == "OLEObject":
            _keep_picture(element)
        elif what is not None:
            remove(next((a for a in element.iterancestors() if local(a.tag) == what), element))


_REFERENCES = etree.XPath(f"//@*[namespace-uri()='{space(R)}' or local-name()='relid' or local-name()='relId']")
"""The attributes that `_refers` tells, found in a whole part at once."""


def _refers(key: str) -> bool:
    return key.startswith(R) or local(key) in ("relid", "relId")


def _keep_picture(ole: Any) -> None:
    """An embedded object becomes the picture that stands for it."""
    holder = ole.getparent()
    remove(ole)
    if holder is not None and holder.tag == W + "object":
        holder.tag = W + "pict"
        for key in list(holder.attrib):
            del holder.attrib[key]


def _rename_relations(rels: Any, root: Any) -> None:
    """Ids as word processors write them, since an id may be any word."""
    free = (f"rId{n}" for n in count(1) if f"rId{n}" not in rels)
    renamed = {key: next(free) for key in rels if not (key.startswith("rId") and key[3:].isdecimal())}
    if not renamed:
        return
    for old, new in renamed.items():
        rel = rels.pop(old)
        rel._rId = new
        rels[new] = rel
        if old in rels._target_parts_by_rId:
            rels._target_parts_by_rId[new] = rels._target_parts_by_rId.pop(old)
    for element in root.iter(etree.Element):
        for key, value in element.attrib.items():
            if value in renamed and _refers(key):
                element.set(key, renamed[value])


def _rename_parts(package: Any) -> None:
    from docx.opc.packuri import PackURI

    parts = list(package.iter_parts())
    taken = {str(part.partname).lower() for part in parts}
    for part in parts:
        suffix = _suffix(part)
        if plain_name(part.partname) and part.partname.endswith("." + suffix):
            continue
        stem = "/word/media/image" if PARTS[part.content_type] is Policy.PICTURE else "/word/part"
        name = next(name for n in count(1) if (name := f"{stem}{n}.{suffix}").lower() not in taken)
        taken.add(name.lower())
        part.partname = PackURI(name)


def _suffix(part: Any) -> str:
    if PARTS[part.content_type] is not Policy.PICTURE:
        return "xml"
    given = str(part.partname.ext).lower()
    wanted = _SUFFIXES.get(part.content_type, part.content_type.rpartition("/")[2])
    return given if {given, wanted} in ({"jpg", "jpeg"}, {"tif", "tiff"}) else str(wanted)


def _clean_picture(part: Any, names: HiddenNames) -> None:
    given = part.blob
    data = stripped(given) or given
    if names.in_bytes(data):
        data = blank()
        part._content_type = "image/png"
    if data is not given:
        part._blob = data


# --- elements and attributes ----------------------------------------------------------------------------------------


def _clean_elements(root: Any, fates: Fates) -> None:
    for node in list(root.iter(etree.Comment, etree.PI, etree.Entity)):
        remove(node)
    for choice in list(root.iter(MC + "Choice")):
        if not all(fates.known(choice.nsmap.get(prefix)) for prefix in choice.get("Requires", "").split()):
            _without_choice(choice)
    if (kept := PROPERTIES.get(local(root.tag))) is not None:
        for child in [child for child in root if local(child.tag) not in kept]:
            remove(child)
    found = kinds(root)
    for element in list(root.iter(root.tag, *fates.touched(found))):
        policy = fates.of_element(element.tag)
        if policy is None or element is root:
            _clean_attributes(element, fates)
        elif policy is Policy.UNWRAP:
            unwrap(element)
        elif policy is Policy.DROP:
            remove(element)
    for element in _STRAY(root):
        _clean_stray_text(element)
    _clean_namespaces(root, {tag for tag, keys in found if not _OF_PREFIXES.isdisjoint(keys)})


def _clean_stray_text(element: Any) -> None:
    """Take out what stands between Word's elements: no word processor shows it."""
    if element.tag not in _TEXTS and own_text(element).strip():
        set_own_text(element, "")
    for child in element:
        if (child.tail or "").strip():
            child.tail = None


_TEXTS = {W + tag for tag in ("t", "delText", "instrText", "delInstrText")}
"""Word's elements that hold text."""
_OF_TEXT = " or ".join(f"self::w:{local(tag)}" for tag in sorted(_TEXTS))
_STRAY = etree.XPath(
    f"//text()[normalize-space()]/parent::w:*[* or not({_OF_TEXT})]", namespaces={"w": space(W)}, smart_strings=False
)
"""Word's elements between which text may stand, found in a whole part at once."""


def _without_choice(choice: Any) -> None:
    """An alternative that nobody knows goes; what stands for it stays."""
    holder = choice.getparent()
    remove(choice)
    if holder is not None and holder.find(MC + "Choice") is None:
        for fallback in list(holder):
            unwrap(fallback)
        unwrap(holder)


def _clean_attributes(element: Any, fates: Fates) -> None:
    for key, fate in fates.of_attributes(tuple(element.keys())):
        if fate is Policy.DROP:
            del element.attrib[key]
        elif fate == BLANKED:
            element.set(key, "")
        elif fate == PREFIXES:
            _clean_prefixes(element, key, fates)


def _clean_prefixes(element: Any, key: str, fates: Fates) -> None:
    prefixes = [p for p in element.get(key).split() if fates.known(element.nsmap.get(p))]
    if prefixes and local(key) in ("Ignorable", "MustUnderstand"):
        element.set(key, " ".join(prefixes))
    else:
        del element.attrib[key]


_OF_PREFIXES = {MC + "Ignorable", MC + "MustUnderstand", "Requires"}
"""The attributes whose values are prefixes, when all others were cleaned."""


def _clean_namespaces(root: Any, with_prefixes: Iterable[str]) -> None:
    """Declarations that nothing uses go; those stay that values of elements of the given names refer to."""
    used = {"xsi", "dcterms"}
    for element in root.iter(root.tag, *with_prefixes):
        used.update(prefix for key in _OF_PREFIXES for prefix in element.get(key, "").split())
    etree.cleanup_namespaces(root, keep_ns_prefixes=sorted(used))
