"""The words that DOCX and HTML are written with themselves: they name nobody.

Parties are called Lang, Kern, Link, Body, Left, Word or Fill, and so are elements and attributes of every file. The
words are those of the names and addresses in the files that Word, LibreOffice and browsers' editors write: of their
elements and attributes, of the values these may have (ISO/IEC 29500, HTML, CSS), of the styles that Word has built in,
and of the fonts that come with word processors.
"""

from __future__ import annotations

import re
from functools import cache

from aef import lexicons
from aef.corpus_tools.tokenization.chunks import LETTERS

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(text: str) -> frozenset[str]:
    """The words of a string."""
    return frozenset(text.split())


VALUES = words(
    "accent acronym address after alphabetic annotation ansi app apples application aqua arabic arrow ascii asia "
    "atleast auto background balloon balloons band bar baseline bats before begin between bibliography bidi birds "
    "black block blue body book both bottom bright brown bullet can canvas caps caption cardinal cat cell cells "
    "center centre cex char character characters charformat chart chartex charts choice chord cid circle cite classic "
    "clear closing cloud clr code col colorful colors column columns comment comments compat compatibility complex "
    "condensed contemporary continue continuous core corner cross crown cube custom cx cyan dark dash dashed data "
    "date dc decimal decorative default definition diagram diagrams diamond diamonds distribute doc docs document dot "
    "dotted double drawing drawingml drawings dxa e east elegant elements emphasis end endnote endnotes envelope even "
    "exact excel extended fallback false first firstcap fixed followed font fonts footer footnote footnotes form "
    "frame front fuchsia gems general gold google gray green grey grid group hair hanging hansi header heading heart "
    "hearts heavy hexagon hidden high hint holly html hyperlink image indent index ink inside instance intense item "
    "keyboard landscape last latin layout left letter level libreoffice light lime line linear lines list low lower "
    "macintosh macro magenta mail main major map margin mark marker markup maroon math media medium mention "
    "mergeformat message metadata microsoft mid middle minor mode modern mono moon ms mt multi namespace narrow navy "
    "ne net new next nil no none normal note nothing number numbered numbering numpages nw odd of off office olive on "
    "open openoffice orange ordinal outline outside ovr package page pages para paragraph part pct ph picture pie "
    "pink placeholder plain plaque point portrait powerpoint preformatted preserve preview print pro professional "
    "properties props pt pumpkin purple quick quote r rect red reference rel relationships rels replace return "
    "revision ribbon right roman rose round row salutation same sample sans schema script se section separate series "
    "serif setting settings shade shading shape signature silver simple single smart solid space spacing spreadsheet "
    "square standard star stars start std strong style styles sub subject subscript subtitle subtle sun sup "
    "superscript sw swirl swiss symbol tab table teal template terms text theme thick thin three times title toa "
    "toaheading toc tof top trees triple true typewriter ui und unicode unresolved upper uri val variable variant "
    "violet visible vml vt wave wavy web wedge white wide window with word wordml wordprocessing wordprocessingml "
    "words xml yellow z"
)
"""Of values: styles, colours, lines, kinds of paragraphs and parts."""

FONTS = words(
    "agency aldhabi algerian angsana antiqua aptos arial bahnschrift baiti baskerville batang bell bodoni bold boli "
    "bookman bradley broadway caladea calibri cambria candara carlito castellar cen century chalkboard cherokee "
    "cochin comic consolas constantia copperplate corbel cordia courier daunpenh david dejavu demi didot display "
    "dokchampa ebrima edessa elephant emoji estrangelo euphemia extra face fang fangsong forte franklin freestyle "
    "futura gabriola gadugi garamond gautami georgia gill gisha gothic goudy gulim hand handwriting harrington hebrew "
    "hei heiti helvetica himalaya historic hoefler impact iskoola italic itc javanese jhenghei jokerman kai kaiti "
    "kalinga kartika klee kristen latha le leelawadee liberation libertine linotype linux lucida magneto malgun "
    "mangal marlett meiryo mincho minion mistral mongolian moolboran mv myriad narkisim neue nirmala noto nyala "
    "oblique old optima palace palatino papyrus perpetua phagspa plantagenet playbill pota pristina psmt raavi ravie "
    "regular roboto rockwell rod schoolbook segoe semi shruti sim simsun sitka small song songti subhead sylfaen "
    "tahoma tai tempus thai trebuchet tunga tw typesetting uighur ultra urdu utsaah verdana vivaldi vrinda webdings "
    "wingdings yahei yi yu"
)
"""Of fonts, those of values left out."""

NAMES = VALUES | words(
    "a abbr about absolute abstract active adec adjust against ah aink algn alias aliases align alignment alink all "
    "allow allowcomments allowincell allowoverlap alpha alt alternate always am anchor anchorlock anchorx anchory and "
    "ang annotations apart appearance area around arrowheads arrowok article as asian aside aspect aspectratio at "
    "attached attr audio author authorities autofit autospacing av b balance base based bdr behavior behaviors behind "
    "bevel bg bgcolor bin binding bits bl blank blanks blip blockquote blur bmp bold bookmark bool border borders "
    "boundaries boundary box br break breaks brk browser button bw by c cache cached calc camera cant cap captions "
    "category cdata cellpadding cellspacing ch change changed chars charset chartshapes chartstyle child chunk class "
    "clbl clean cleanup click clip close cmpd cnf cnv collapse color colorstyle cols colspan com company compose "
    "compress connect connecttype consecutive constrained content contents contextual continuation control coordsize "
    "corners count cp cr created creator crop cropbottom cropleft cropright cs csb cstate cstheme ctr ctrl cust cxn "
    "cy d dag datastore dcmitype dcterms de decoration def defaults del deleted demarcate den descr description "
    "design details detectmouseclick device dialog differentiate digital dir direct direction disp display dist div "
    "divs dk dm dn do doctype done down dpi draw drop dstrike dtd du durable ea ed edges edit editas edited effect "
    "effects element em embed emboss emf empty en enable enabled encoding endcap enforcement entity entry eqn err "
    "errors every ex exception exit explosion ext extension extent external extlst extra extrusionok f face family fe "
    "features ff field fields fieldset figcaption figure figures file fill fillcolor filled filter fit flat fld flex "
    "flip float fmt fmtid fol fold for force forced forget format formatting forms formula formulas frac fractional "
    "frameset from ftr full gallery gd generator geom gfxdata gif glossary glow grad gradient gradientshapeok gram "
    "grammar grammatical graphic grow grp gs guid gutter h hangul hashtag hdr head headers height help hgroup hide "
    "highlight history hlink horizontal horz hps href http hybrid hyperlinks hyphen hyphenate hyphenation hyphens i "
    "id identifier ideograph idmap ids idx iframe ignorable ignore ilvl imagedata imprint in include ind indentation "
    "indents info information inherit initial initials inline inner input ins inset instr int invalid is iso "
    "issignatureline italic jc join joinstyle jpeg jpg kbd keep kern kerning key keywords kinsoku kx ky l label lang "
    "language lat latent lbl lbls leader least legend length lgl library lid ligatures like lim limit lin link links "
    "lit ln lo local lock locked locks lon look lpstr lpwstr lsd lst lt lum lvl m mac manager mapping mar margins "
    "matrix max mc merge meta method mip mirror miter mixed mod model modified move moves multilevel multirow name "
    "names namespaceuri nary nav never noshade not notice nowrap nsid num numbers nv o obj object obscured oel "
    "officedocument offset ole one only opacity openxml openxmlformats optgroup optimize option or order org orient "
    "orig origin orthographic other outer outset over overflow overlap overlay override p padding pair pairs pane "
    "panose paper paragraphs param parts party path paths people percent perm person personal pg phldr pic pict "
    "pictures pid pitch plot png points polygon pos position post pr preferrelative presence presentationml preset "
    "printed printer printing priority prog proof property proportional prot protection provid provider prst ptab "
    "public punct punctuation purl q qf qs query rad raise range raw read record redefine ref reflection refs "
    "relationship relative rely remove removed rendered reply requires restart result rev revisions rich rig rnd role "
    "root rot rotate rounded rows rowspan rsid rsids rt rtl ruby rule rules runs s samp sat save saving scale scaled "
    "scene schemas scheme scope sdt sdtdatahash sdtdh sect security select selected semi separator ser set shadow "
    "shapedefaults shapelayout shapetype shared shd shdw sheet sheets show showsigndate sides sig signatureline site "
    "size sl slice small snap sng soft sort source sources sp spaces span spc spec spell spelling spid spidmax split "
    "spreadsheetml spt src srgb standalone state stats status stop store str stretch strict strike string stroke "
    "stroked strokeweight sty stylesheet subdocs subset suff suggestedsigner suggestedsigneremail summary super "
    "suppress surround svg sx sy sym symex sys system sz t tables tabs tag tags tail target tbl tblp tbody tc "
    "tentative textarea textbox textpath texture tfoot tgt thead thememl thm through tif tiff tight tile time tint "
    "titles tl tmpl to tooltip total tplc tr track tracking transform two tx txbx type typeface types u underline "
    "unhide unique up update upgrade upright urn usb use used user utf v validate valign value values vanish var vars "
    "vary ve vector version vert vertical vid video view viewport vis visual vlink vnd w warp weight wgp when whole "
    "widow width windows wmf wne worddrawing wp wpc wpg wpi wps wrap wrapped wrapping write writing wsp ww www x xfrm "
    "xhtml xmlschema xpath xsi xslt y zero zone zoom"
)
"""Of names of elements and attributes, of parts, and of the addresses of schemas."""


def is_standard(value: str) -> bool:
    """Whether a value is of the format's own words alone: "darkGreen", "Light Shading"."""
    words = _WORD.findall(value)
    return bool(words) and all(word.lower() in VALUES for word in words)


def is_name(text: str) -> bool:
    """Whether an element, an attribute or a part has a name of the format: "tblBorders", "lang"."""
    return text.isascii() and all(word.lower() in NAMES for word in _WORD.findall(text))


def tells_nobody(found: str) -> bool:
    """Whether a name that was found where nobody writes is of the format's words, or one ordinary word."""
    words = [word.lower() for word in LETTERS.findall(found)]
    return all(word in NAMES or word in FONTS for word in words) or (len(words) == 1 and words[0] in _ordinary())


@cache
def _ordinary() -> frozenset[str]:
    lists = ("common_words", "function_words", "ordinary_words")
    return frozenset(word.lower() for name in lists for word in lexicons.load(name))
