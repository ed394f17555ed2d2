"""The words that DOCX and HTML are written with themselves, for `aef.verification`: they name nobody.

Parties are called Lang, Kern, Link, Body, Left, Word or Fill, and so are elements and attributes of every file. A name
of an element or attribute made of these words alone, a value of the format's own, or an address of one of its schemas
is not taken for what somebody wrote.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST = 60
"""A value of more characters is no value of the format."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


VALUES = _set(
    # colours, places, lines, forms
    "aqua auto black blue brown cyan dark fuchsia gold gray green grey lime magenta maroon navy olive orange pink "
    "purple red rose silver teal violet white yellow light bright center left right both top bottom page margin column "
    "line text single double thick thin wave dot dash dotted dashed none nil solid clear bar cross diamond circle "
    "square heart moon sun star cloud can cube rect wedge arrow ribbon plaque frame chord crown hanging inside outside "
    "start end tab decimal lower upper letter roman ordinal number bullet multi level linear shade "
    # kinds of paragraphs and parts
    "normal heading title subtitle header footer footnote endnote comment reference table grid list body closing "
    "signature date message block quote strong book hyperlink plain code sample web caption shading accent classic "
    "simple default style medium colorful general standard office word mark marker series choice form with spacing "
    "intense emphasis subtle toc index continue first section next odd even major minor paragraph character para char "
    "numbering font theme settings app core properties document rels xml main part media image app doc props rel "
    "styles custom item chart charts drawing drawings diagrams data layout quick colors footnotes endnotes comments "
    "fonts "
    "print preview true false off on begin separate preserve space compat compatibility mode uri setting between "
    "mid cat val continuous new same portrait landscape baseline superscript subscript atleast exact "
    "macro revision bibliography placeholder background followed band row col last hansi bidi sub sup und ovr group "
    "before after window front three ph clr pt dxa pct nw ne se sw cell cells both word unresolved mention smart "
    # fonts that come with word processors
    "arial baskerville bell bodoni bookman bradley calibri cambria math candara century constantia corbel courier "
    "david didot elephant forte franklin garamond georgia gill goudy harrington helvetica impact kartika latha lucida "
    "mangal nyala palatino perpetua raavi rockwell segoe shruti sylfaen symbol tahoma times trebuchet tunga verdana "
    "vivaldi vrinda sans serif mt ms std pro no of east asia ascii latin script complex mono narrow liberation dejavu "
    "noto carlito caladea linux libertine roman swiss modern decorative fixed variable variant wingdings webdings "
    "angsana cordia daunpenh moolboran dokchampa euphemia plantagenet cherokee mongolian baiti kalinga iskoola pota "
    "estrangelo edessa gautami boli himalaya uighur yi microsoft macintosh light black condensed narrow ui "
    # fields
    "page pages numpages mergeformat charformat arabic caps firstcap alphabetic"
)
"""Values of attributes and texts: styles, colours, fonts of word processors, fields without arguments."""

NAMES = VALUES | _set(
    "abstract active adjust after against algn alias aliases align alignment allow allowcomments allowincell alpha "
    "alternate always anchor annotation ansi application area arrowheads asian aspect aspectratio attached attr author "
    "autofit background band base based before bevel bidi binding blank blanks blip blur border borders boundaries "
    "boundary break breaks cache calc camera cant captions category cell cells change changed characters chars charset "
    "chunk cleanup click cmpd color cols column comments company compose compress connect connecttype consecutive "
    "content contextual continuation control coordsize corners count created creator crop cstheme cust datastore "
    "defaults deleted demarcate descr description design detectmouseclick direction disp display dist done down draw "
    "drop dstrike edges effect effects element elements embed emboss empty enabled endcap entry envelope errors every "
    "exception exit explosion extension extent external extra extrusionok fallback family fields field file fill "
    "fillcolor filled filter fmtid fold followed force format formatting forms formulas formula frac fractional "
    "frameset from full geom glossary glow grad gradient gradientshapeok grammar grammatical graphic group gutter "
    "headers height help hidden hide highlight hint history hlink horizontal hyphen hyphenate hyphenation hyphens "
    "identifier idmap ignorable ignore ilvl imagedata imprint include indent indents info information initials inline "
    "inner input instr invalid issignatureline join joinstyle keep kern kerning keywords kinsoku label lang language "
    "last latent lbls leader legend length limit lines link links lock locked locks look lpstr lpwstr macro mail "
    "manager mapping margins matrix merge method mirror mixed model modified move moves name names namespace nary nsid "
    "object only opacity order orient orig origin outer outline over overflow overlap overlay override pair pairs pane "
    "panose paper paragraphs parts party path paths people percent perm person personal phldr pict picture pictures "
    "pitch placeholder plot point points position post preferrelative presence preset printed printer printing "
    "priority prog proof property prot protection provid provider prst ptab punct punctuation query raise range read "
    "record redefine ref reflection refs relationship relationships relative remove rendered reply requires restart "
    "result revision revisions rich root rotate round rounded row rows rsid rsids ruby rule save saving scale scaled "
    "scene schema scheme security select selected semi separator shadow shape shapedefaults shapelayout shapetype "
    "shared shdw sheet sheets show showsigndate signatureline size slice small smart snap soft sort source sources "
    "spaces span spec spelling spid spidmax split srgb state stats status stop store stretch strict strike string "
    "stroke stroked styles subdocs subject subset suggestedsigner suggestedsigneremail summary suppress surround "
    "system tabs tag tags target tblp template textbox textpath texture through tight tile time tint titles tmpl "
    "tooltip total track transform txbx type typeface types underline unhide unique update upgrade used user validate "
    "value values vanish vary vector version vert vertical view visible visual warp when widow width words wrap write "
    "writing xfrm xpath xslt zone zoom "
    "hyperlinks spacing "
    "alt and ang app as at av b bdr bg bin box br brk bw by c cap cat clr cnf cnv col cr cs csb cx cxn cy d dag de def "
    "del dir div dk dm dn do doc dpi ea ed em end eqn err ex ext f fit fld fmt fol for ftr gs h hdr hps i id ids idx "
    "ind ink ins int jc key l lat lbl lid lim lin lit ln lo lon lsd lst lt lvl mac mar mod no not num nv o odd of off "
    "ole on one p pg pic pid pie png pos pr q qf qs r rad ref rel rev rig rot rt rtl s sat sdt ser set shd sig sp spc "
    "spt src str sys sz t tag tbl tc tgt to top tr two tx u up uri usb use v val var vis w web wsp x xml y z "
    # of packages and schemas
    "schemas openxmlformats officedocument wordprocessing wordprocessingml drawingml wordml spreadsheetml spreadsheet "
    "presentationml markup metadata package extended microsoft purl terms dcmitype xmlschema instance content types "
    "vnd openxml http www org com urn purl stylesheet theme override chartshapes colorstyle chartstyle colors "
    "worddrawing "
    # of HTML and of styles on the web
    "html head link meta class href body style main article aside nav figure figcaption figure hgroup address details "
    "dialog legend fieldset button select option optgroup textarea iframe object param embed video audio source track "
    "canvas area abbr acronym cite samp kbd strong small strike blockquote thead tbody tfoot colspan rowspan scope "
    "cellpadding cellspacing bgcolor valign vlink alink noshade nowrap clear face charset media role hidden lang dir "
    "margin padding family weight align indent decoration transform collapse style width height top bottom left right "
    "solid inherit initial display block inline flex float position absolute relative overflow visible letter line "
    "spacing height white space break word wrap vertical baseline middle super sub bold italic normal underline "
    "background color font size text stylesheet viewport device scale utf charset generator author"
)
"""The words of names of elements and attributes, of parts, and of the addresses of schemas."""

_OWN_URI = re.compile(
    r"http://(?:schemas\.openxmlformats\.org|schemas\.microsoft\.com/office|purl\.org/dc|www\.w3\.org)/[\w./#-]*"
    r"|urn:schemas-microsoft-com:[\w:]+|application/(?:vnd\.(?:openxmlformats|ms)-[\w.+-]+|xml)|image/\w+"
)


def is_value(text: str) -> bool:
    """Whether a value or text is the format's own: "darkGreen", "Heading 1", "/word/theme/theme1.xml"."""
    found = _WORD.findall(text) if len(text) < _LONGEST and text.isascii() else []
    return bool(found) and all(word.lower() in VALUES for word in found)


def is_name(text: str) -> bool:
    """Whether an element, an attribute or a part has a name of the format: "tblBorders", "lang"."""
    return text.isascii() and all(word.lower() in NAMES for word in _WORD.findall(text))


def without_words(style: str) -> str:
    """A style sheet, or a style in an attribute, without the words that such are made of."""
    return re.sub(r"[A-Za-z]+", lambda m: "" if m.group().lower() in NAMES else m.group(), style)


def is_uri(value: str) -> bool:
    """Whether a value is the address of a schema, a kind of relation or a content type of the format."""
    return _OWN_URI.fullmatch(value) is not None and is_name(value)
