"""A Word file with an invented surname in every place where a name can hide, each place with a surname of its own.

`build` writes the file by hand, in the order Word's schema asks for, sharing nothing with what reads it.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from itertools import product

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'mc:Ignorable="w14 w15"'
)
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
OFFICE_TYPE = "application/vnd.openxmlformats-officedocument."
PACKAGE_TYPE = "application/vnd.openxmlformats-package."
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MS = "http://schemas.microsoft.com/office"


class Surnames:
    """Surnames by place: made when first asked for, all different and none inside another."""

    def __init__(self) -> None:
        self.by_place: dict[str, str] = {}
        self._free = ("Q" + "".join(s) + "wyx" for s in product(("ba", "ko", "mi", "zu", "fe", "ro", "du"), repeat=3))

    def __call__(self, place: str) -> str:
        if place not in self.by_place:
            self.by_place[place] = next(self._free)
        return self.by_place[place]


def run(text: str, properties: str = "") -> str:
    return f'<w:r>{f"<w:rPr>{properties}</w:rPr>" if properties else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*content: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{''.join(content)}</w:p>"


def split(name: str, between: str = "", second: str = "<w:b/>") -> str:
    return run(name[:3]) + between + run(name[3:], second)


def field(code: str, result: str) -> str:
    """A complex field whose code is split over two runs."""
    half = len(code) // 2
    codes = "".join(
        f'<w:r><w:instrText xml:space="preserve">{c}</w:instrText></w:r>' for c in (code[:half], code[half:])
    )
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    return marks[0] + codes + marks[1] + run(result) + marks[2]


def drawing(inner: str, uri: str, number: int, name: str = "Picture", descr: str = "", title: str = "") -> str:
    return (
        '<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="900000" cy="600000"/>'
        f'<wp:docPr id="{number}" name="{name} {number}" descr="{descr}" title="{title}"/><wp:cNvGraphicFramePr/>'
        f'<a:graphic><a:graphicData uri="{uri}">{inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )


def picture(relation: str, name: str, extra: str = "") -> str:
    return (
        f'<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="{name}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
        f'<a:blip r:embed="{relation}">{extra}</a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>'
        '<a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
        "</a:prstGeom></pic:spPr></pic:pic>"
    )


def text_box(choice: str, fallback: str) -> str:
    shape = (
        '<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="900000" cy="600000"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>'
        f"{choice}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
    )
    inner = drawing(shape, f"{MS}/word/2010/wordprocessingShape", 31, "Text Box")[5:-6]
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{inner}</mc:Choice><mc:Fallback><w:pict>'
        f'<v:rect id="box" style="width:90pt;height:60pt"><v:textbox><w:txbxContent>{fallback}</w:txbxContent>'
        f"</v:textbox>"
        "</v:rect></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


# --- the body, group by group ---------------------------------------------------------------------------------------

Names = Callable[[str], str]


def spellings(n: Names) -> list[str]:
    """One name in many spellings; those of a place are the same letters to a reader."""
    name = n("body")
    parts: dict[str, Callable[[str], str]] = {
        "split over runs": lambda s: split(s),
        "split by a bookmark": lambda s: split(s, '<w:bookmarkStart w:id="1" w:name="b1"/><w:bookmarkEnd w:id="1"/>'),
        "split by a proofing mark": lambda s: split(s, '<w:proofErr w:type="spellStart"/>'),
        "split by a smart tag": lambda s: run(s[:3]) + f'<w:smartTag w:element="x">{run(s[3:])}</w:smartTag>',
        "split by a content control": lambda s: (
            run(s[:3]) + f"<w:sdt><w:sdtContent>{run(s[3:])}</w:sdtContent></w:sdt>"
        ),
        "split by a tracked insertion": lambda s: (
            run(s[:3]) + f'<w:ins w:id="90" w:author="x" w:date="2024-01-01T00:00:00Z">{run(s[3:])}</w:ins>'
        ),
        "split by an element of a soft hyphen": lambda s: (
            f"<w:r><w:t>{s[:3]}</w:t><w:softHyphen/><w:t>{s[3:]}</w:t></w:r>"
        ),
        "with a soft hyphen": lambda s: run(f"{s[:3]}\u00ad{s[3:]}"),
        "with a zero-width space": lambda s: run(f"{s[:3]}\u200b{s[3:]}"),
        "with a zero-width joiner over runs": lambda s: run(s[:3] + "\u200d") + run(s[3:], "<w:i/>"),
        "with character references": lambda s: run(f"&#x{ord(s[0]):x};&#{ord(s[1])};{s[2:]}"),
        "with a composed accent": lambda s: run(s.replace("wyx", "wýx")),
        "with a decomposed accent": lambda s: run(s.replace("wyx", "wy\u0301x")),
        "in capitals": lambda s: run(s.upper()),
        "hyphenated with another": lambda s: run(f"Smith-{s}"),
        "after a no-break space": lambda s: run(f"Ms.\u00a0{s}\u00a0left"),
    }
    return [
        paragraph(run(f"The plaintiff, Ms. {name}, asks for costs. {name}’s claim is allowed.")),
        *(paragraph(run("Here "), make(n(place)), run(" stands.")) for place, make in parts.items()),
    ]


def tables(n: Names) -> list[str]:
    properties = (
        '<w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblCaption w:val="{}"/><w:tblDescription w:val="{}"/></w:tblPr>'
        '<w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>'
    )
    cell = '<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>{}</w:tc>'
    inner = f"<w:tbl>{properties.format('x', 'y')}<w:tr>{cell.format(paragraph(run(n('nested table'))))}</w:tr></w:tbl>"
    outer = cell.format(paragraph(run(n("table"))) + inner + paragraph())
    gone = (
        f'<w:tr><w:trPr><w:del w:id="70" w:author="x"/></w:trPr>{cell.format(paragraph(run(n("deleted row"))))}</w:tr>'
    )
    start = properties.format(n("table caption"), n("table description"))
    return [f"<w:tbl>{start}<w:tr>{outer}</w:tr>{gone}</w:tbl>"]


def drawings(n: Names) -> list[str]:
    box = paragraph(run("In the box: "), split(n("text box")))
    chart = '<c:chart r:id="rIdChart"/>'
    diagram = '<dgm:relIds r:dm="rIdData" r:lo="rIdLayout" r:qs="rIdStyle" r:cs="rIdColors"/>'
    uri = "http://schemas.openxmlformats.org/drawingml/2006/"
    wordart = (
        f'<w:r><w:pict><v:shape id="{n("VML shape id")}" type="#_x0000_t136" alt="{n("VML alternative text")}" '
        f'style="width:90pt;height:30pt"><v:textpath style="font-family:Arial" string="{n("WordArt")}"/></v:shape>'
        "</w:pict></w:r>"
    )
    signature = (
        '<w:r><w:pict><v:shape id="s1" type="#_x0000_t75" style="width:90pt;height:30pt"><o:signatureline v:ext="edit" '
        f'id="{{00000000-0000-0000-0000-000000000001}}" provid="{{00000000-0000-0000-0000-000000000000}}" '
        f'o:suggestedsigner="{n("signature line")}" o:suggestedsigneremail="{n("signer mail")}@example.org" '
        'issignatureline="t"/></v:shape></w:pict></w:r>'
    )
    ole = (
        '<w:object w:dxaOrig="1" w:dyaOrig="1"><v:shape id="ole1" style="width:60pt;height:40pt" o:ole="">'
        '<v:imagedata r:id="rIdPicture" o:title="{}"/></v:shape>'
        '<o:OLEObject Type="Embed" ProgID="{}" ShapeID="ole1" DrawAspect="Content" ObjectID="_1" r:id="{}"/></w:object>'
    )
    return [
        paragraph(text_box(box, paragraph(run("In the box: "), split(n("text box"))))),
        paragraph(text_box(paragraph(run("new")), paragraph(run(n("VML fallback alone"))))),
        paragraph(wordart),
        paragraph(signature),
        paragraph(
            drawing(
                picture("rIdPicture", n("picture file name")),
                uri + "picture",
                32,
                n("shape name"),
                n("picture description"),
                n("picture title"),
            )
        ),
        paragraph(drawing(picture("rIdPhoto", "p.jpg"), uri + "picture", 33)),
        paragraph(drawing(chart, uri + "chart", 34)),
        paragraph(drawing(diagram, uri + "diagram", 35)),
        paragraph(f"<w:r>{ole.format(n('picture of an object'), 'Excel.Sheet.12', 'rIdSheet')}</w:r>"),
        paragraph(f"<w:r>{ole.format('t', 'Word.Document.12', 'rIdDocument')}</w:r>"),
        paragraph(f"<w:r>{ole.format('t', n('class of an object'), 'rIdOle')}</w:r>"),
    ]


def structure(n: Names) -> list[str]:
    control = (
        f'<w:sdtPr><w:alias w:val="{n("control title")}"/><w:tag w:val="{n("control tag")}"/><w:id w:val="5"/>'
        f'<w:placeholder><w:docPart w:val="{n("placeholder")}"/></w:placeholder>'
        f'<w:dataBinding w:xpath="/{n("data binding")}" w:storeItemID="{{1}}"/><w:dropDownList>'
        f'<w:listItem w:displayText="{n("list item shown")}" w:value="{n("list item value")}"/>'
        f"</w:dropDownList></w:sdtPr>"
    )
    form = (
        f'<w:ffData><w:name w:val="{n("form field name")}"/><w:enabled/><w:calcOnExit w:val="0"/>'
        f'<w:entryMacro w:val="{n("form macro")}"/><w:helpText w:type="text" w:val="{n("form help text")}"/>'
        f'<w:statusText w:type="text" w:val="{n("form status text")}"/><w:textInput>'
        f'<w:default w:val="{n("form default")}"/></w:textInput></w:ffData>'
    )
    ruby = (
        '<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="10"/><w:hpsRaise w:val="18"/>'
        '<w:hpsBaseText w:val="20"/><w:lid w:val="ja-JP"/></w:rubyPr>'
        f"<w:rt>{run(n('ruby reading'))}</w:rt><w:rubyBase>{run(n('ruby base'))}</w:rubyBase></w:ruby></w:r>"
    )
    mark = n("bookmark")
    return [
        f"<w:sdt>{control}<w:sdtContent>{paragraph(run(n('content control')))}</w:sdtContent></w:sdt>",
        paragraph(
            f'<w:r><w:fldChar w:fldCharType="begin">{form}</w:fldChar></w:r>',
            '<w:r><w:instrText>FORMTEXT</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
            run(n("form field result")),
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        ),
        paragraph(ruby, run(" "), f"<m:oMath><m:r><m:t>{n('equation')}</m:t></m:r></m:oMath>"),
        paragraph(run(n("hidden text"), "<w:vanish/>")),
        paragraph(
            f'<w:bookmarkStart w:id="2" w:name="{mark}_1"/>',
            run("marked"),
            '<w:bookmarkEnd w:id="2"/>',
            run(" see "),
            field(f" REF {mark}_1 \\h ", "marked"),
            f'<w:hyperlink w:anchor="{mark}_1" w:tooltip="{n("tooltip")}">{run("there")}</w:hyperlink>',
        ),
        paragraph(
            f'<w:hyperlink r:id="rIdLink">{run(n("link text"))}</w:hyperlink>',
            run(" "),
            field(f' HYPERLINK "mailto:{n("link in a field")}@example.org" ', "mail"),
            field(f" MERGEFIELD {n('merge field')} ", "x"),
            field(f' XE "{n("index entry")}, A." ', ""),
            field(f' TA \\l "{n("table of authorities")} v. R." ', ""),
            f'<w:fldSimple w:instr=" AUTHOR {n("simple field")} ">{run(" " + n("simple field result"))}</w:fldSimple>',
        ),
        paragraph(
            f'<w:permStart w:id="8" w:ed="{n("protected range editor")}"/>', run("free"), '<w:permEnd w:id="8"/>'
        ),
        f'<w:customXml w:uri="urn:x" w:element="{n("custom XML element")}"><w:customXmlPr>'
        f'<w:attr w:name="a" w:val="{n("custom XML attribute")}"/></w:customXmlPr>{paragraph(run("inside"))}'
        f"</w:customXml>",
        paragraph(
            f'<w:smartTag w:uri="urn:{n("smart tag uri")}" w:element="{n("smart tag")}"><w:smartTagPr>'
            f'<w:attr w:name="v" '
            f'w:val="{n("smart tag property")}"/></w:smartTagPr>{run("tagged")}</w:smartTag>'
        ),
        f"<!-- {n('XML comment')} -->",
        f"<?aef {n('processing instruction')}?>",
        paragraph(run("styled"), properties=f'<w:pStyle w:val="{n("style id")}"/>'),
        paragraph(f'<w:r w:rsidR="{n("revision id")}"><w:t>plain</w:t></w:r>'),
        '<w:altChunk r:id="rIdHtml"/>',
        '<w:altChunk r:id="rIdRtf"/>',
    ]


def changes(n: Names) -> list[str]:
    who = f'w:author="{n("author of a change")}" w:date="2024-01-01T00:00:00Z"'
    return [
        paragraph(
            f'<w:ins w:id="71" {who}>{run(n("insertion") + " ")}</w:ins>',
            f'<w:del w:id="72" {who}><w:r><w:delText>{n("deletion")}</w:delText></w:r></w:del>',
            f'<w:moveFromRangeStart w:id="73" w:name="{n("name of a move")}" {who}/>',
            f'<w:moveFrom w:id="74" {who}>{run(n("move from"))}</w:moveFrom><w:moveFromRangeEnd w:id="73"/>',
            f'<w:moveTo w:id="75" {who}>{run(n("move to") + " ")}</w:moveTo>',
            run("bold", f'<w:b/><w:rPrChange w:id="76" w:author="{n("author of formatting")}"><w:rPr/></w:rPrChange>'),
            f'<w:r><w:rPr><w:rFonts w:ascii="{n("font of a run")}"/></w:rPr><w:t>x</w:t></w:r>',
        ),
        paragraph(
            run("It was "),
            run("said"),
            properties=f'<w:rPr><w:del w:id="77" {who}/></w:rPr>',
        ),
        paragraph(run(" so.")),
        paragraph(
            '<w:commentRangeStart w:id="1"/>',
            run("commented"),
            '<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>',
            '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r>',
        ),
    ]


# --- the other parts ------------------------------------------------------------------------------------------------


def comments(n: Names) -> str:
    one = (
        f'<w:comment w:id="1" w:author="{n("author of a comment")}" w:initials="{n("initials of a comment")}" '
        f'w:date="2024-01-01T00:00:00Z">{paragraph(run(n("comment")))}</w:comment>'
    )
    orphan = f'<w:comment w:id="9" w:author="x" w:initials="x">{paragraph(run(n("orphan comment")))}</w:comment>'
    return f"{HEAD}<w:comments {NAMESPACES}>{one}{orphan}</w:comments>"


def notes(kind: str, text: str) -> str:
    marks = "".join(
        f'<w:{kind} w:type="{t}" w:id="{i}">{paragraph(f"<w:r><w:{t}/></w:r>")}</w:{kind}>'
        for i, t in ((0, "separator"), (1, "continuationSeparator"))
    )
    note = f'<w:{kind} w:id="2">{paragraph(run("See " + text))}</w:{kind}>'
    return f"{HEAD}<w:{kind}s {NAMESPACES}>{marks}{note}</w:{kind}s>"


def styles(n: Names) -> str:
    return (
        f'{HEAD}<w:styles {NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" '
        'w:hAnsi="Georgia"/></w:rPr></w:rPrDefault></w:docDefaults>'
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
        f'<w:style w:type="paragraph" w:customStyle="1" w:styleId="{n("style id")}"><w:name w:val="{n("style name")}"/>'
        f'<w:aliases w:val="{n("style alias")}"/><w:basedOn w:val="Normal"/></w:style></w:styles>'
    )


def numbering(n: Names) -> str:
    return (
        f'{HEAD}<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="singleLevel"/>'
        f'<w:name w:val="{n("list name")}"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:lvlText w:val="%1 {n("list text")}"/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )


def settings(n: Names) -> str:
    return (
        f'{HEAD}<w:settings {NAMESPACES}><w:attachedTemplate r:id="rIdTemplate"/><w:mailMerge><w:mainDocumentType '
        f'w:val="formLetters"/><w:dataType w:val="textFile"/><w:connectString w:val="{n("mail merge connection")}"/>'
        f'<w:query w:val="SELECT * FROM {n("mail merge query")}"/><w:dataSource r:id="rIdSource"/></w:mailMerge>'
        f'<w:rsids><w:rsidRoot w:val="{n("revision id in settings")}"/></w:rsids>'
        f'<w:docVars><w:docVar w:name="{n("document variable name")}" w:val="{n("document variable")}"/></w:docVars>'
        f'<w:attachedSchema w:val="urn:{n("attached schema")}"/></w:settings>'
    )


def chart(n: Names) -> str:
    text = (
        "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx>"
        '<c:overlay val="0"/></c:title>'
    )
    cache = (
        f"<c:strRef><c:f>{n('chart formula')}!$A$1</c:f><c:strCache><c:ptCount "
        f'val="1"/><c:pt idx="0"><c:v>{n("chart cache")}</c:v></c:pt></c:strCache></c:strRef>'
    )
    return (
        f"{HEAD}<c:chartSpace {NAMESPACES}><c:chart>{text.format(n('chart title'))}<c:plotArea><c:layout/><c:pieChart>"
        f'<c:varyColors val="1"/><c:ser><c:idx val="0"/><c:order val="0"/><c:tx>{cache}</c:tx><c:val><c:numLit>'
        '<c:formatCode>General</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>3</c:v></c:pt></c:numLit></c:val>'
        '</c:ser></c:pieChart></c:plotArea></c:chart><c:externalData r:id="rId1"/></c:chartSpace>'
    )


def diagram(n: Names) -> str:
    point = (
        '<dgm:pt modelId="1" type="doc"><dgm:prSet/><dgm:spPr/></dgm:pt><dgm:pt modelId="2"><dgm:prSet '
        f'phldrT="{n("SmartArt placeholder")}"/><dgm:spPr/><dgm:t><a:bodyPr/><a:p><a:r><a:t>{n("SmartArt")}</a:t></a:r>'
        "</a:p></dgm:t></dgm:pt>"
    )
    return f"{HEAD}<dgm:dataModel {NAMESPACES}><dgm:ptLst>{point}</dgm:ptLst><dgm:cxnLst/></dgm:dataModel>"


def core(n: Names) -> str:
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{n('title')}</dc:title><dc:subject>{n('subject')}</dc:subject><dc:creator>{n('creator')}"
        f"</dc:creator>"
        f"<cp:keywords>{n('keywords')}</cp:keywords><dc:description>{n('description')}</dc:description>"
        f"<cp:lastModifiedBy>{n('last modified by')}</cp:lastModifiedBy><cp:category>{n('category')}</cp:category>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2024-01-01T00:00:00Z</dcterms:created></cp:coreProperties>'
    )


def app(n: Names) -> str:
    return (
        f'{HEAD}<Properties xmlns="{R.replace("relationships", "extended-properties")}" '
        f'xmlns:vt="{R.replace("relationships", "docPropsVTypes")}"><Template>{n("template path")}.dotx</Template>'
        f'<Manager>{n("manager")}</Manager><TitlesOfParts><vt:vector size="1" baseType="lpstr"><vt:lpstr>'
        f"{n('title of a part')}</vt:lpstr></vt:vector></TitlesOfParts><Company>{n('company')}</Company>"
        f"<HyperlinkBase>{n('hyperlink base')}</HyperlinkBase></Properties>"
    )


def custom(n: Names) -> str:
    return (
        f'{HEAD}<Properties xmlns="{R.replace("relationships", "custom-properties")}" '
        f'xmlns:vt="{R.replace("relationships", "docPropsVTypes")}"><property '
        f'fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="{n("custom property name")}"><vt:lpwstr>'
        f"{n('custom property')}</vt:lpwstr></property></Properties>"
    )


def small_docx(text: str) -> bytes:
    body = f"{HEAD}<w:document {NAMESPACES}><w:body>{paragraph(run(text))}</w:body></w:document>"
    return packed(
        {"word/document.xml": body.encode()},
        {"word/document.xml": WORD_TYPE + "document.main+xml"},
        {"": [("rId1", R + "/officeDocument", "word/document.xml", False)]},
    )


def png(text: str) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + b"\x80" * 6 for _ in range(2)))
    comment = chunk(b"tEXt", b"Author\0" + text.encode()) + chunk(
        b"zTXt", b"Comment\0\0" + zlib.compress(text.encode())
    )
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + comment + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def jpeg(exif: str, xmp: str, comment: str, tail: str) -> bytes:
    """A photograph with what cameras and programs write beside it."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (8, 8), "gray").save(stream, "JPEG")
    data = stream.getvalue()

    def segment(marker: int, content: bytes) -> bytes:
        return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content

    added = segment(0xE1, b"Exif\0\0" + exif.encode()) + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode())
    return data[:2] + added + segment(0xFE, comment.encode()) + data[2:] + tail.encode()


def packed(
    parts: dict[str, bytes],
    types: dict[str, str],
    relations: dict[str, list[tuple[str, str, str, bool]]],
    comment: str = "",
) -> bytes:
    """A package of parts with their content types and relations (id, type, target, external)."""
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in types.items())
    defaults = "".join(
        f'<Default Extension="{ext}" ContentType="{kind}"/>'
        for ext, kind in {
            "rels": PACKAGE_TYPE + "relationships+xml",
            "xml": "application/xml",
            "png": "image/png",
            "jpg": "image/jpeg",
        }.items()
    )
    written = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types">{defaults}{overrides}</Types>'.encode()
    }
    for source, rels in relations.items():
        folder, _, file = source.rpartition("/")
        items = "".join(_relationship(*rel) for rel in rels)
        name = f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"
        written[name] = f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{items}</Relationships>'.encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (written | parts).items():
            archive.writestr(name, data)
        archive.comment = comment.encode()
    return stream.getvalue()


def _relationship(key: str, kind: str, target: str, external: bool) -> str:
    mode = ' TargetMode="External"' if external else ""
    return f'<Relationship Id="{key}" Type="{kind}" Target="{target}"{mode}/>'


def build() -> tuple[bytes, dict[str, str]]:
    """The file, and the surname of each place."""
    n = Surnames()
    blocks = [*spellings(n), *tables(n), *drawings(n), *structure(n), *changes(n)]
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rIdHeader"/><w:footerReference w:type="default" '
        'r:id="rIdFooter"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    )
    body = f"{HEAD}<w:document {NAMESPACES}><w:body>{''.join(blocks)}{section}</w:body></w:document>"
    media, odd = n("name of a picture part"), n("relation id")
    parts: dict[str, tuple[str | bytes, str]] = {
        "word/document.xml": (body, WORD_TYPE + "document.main+xml"),
        "word/styles.xml": (styles(n), WORD_TYPE + "styles+xml"),
        "word/numbering.xml": (numbering(n), WORD_TYPE + "numbering+xml"),
        "word/settings.xml": (settings(n), WORD_TYPE + "settings+xml"),
        "word/fontTable.xml": (
            f'{HEAD}<w:fonts {NAMESPACES}><w:font w:name="{n("font name")}"><w:altName w:val="{n("other font name")}"/>'
            "</w:font></w:fonts>",
            WORD_TYPE + "fontTable+xml",
        ),
        "word/webSettings.xml": (
            f'{HEAD}<w:webSettings {NAMESPACES}><w:frameset><w:frame><w:name w:val="{n("web settings")}"/></w:frame>'
            "</w:frameset></w:webSettings>",
            WORD_TYPE + "webSettings+xml",
        ),
        "word/header1.xml": (
            f"{HEAD}<w:hdr {NAMESPACES}>{paragraph(run(n('header')))}</w:hdr>",
            WORD_TYPE + "header+xml",
        ),
        "word/header2.xml": (
            f"{HEAD}<w:hdr {NAMESPACES}>{paragraph(run(n('header not in use')))}</w:hdr>",
            WORD_TYPE + "header+xml",
        ),
        "word/footer1.xml": (
            f"{HEAD}<w:ftr {NAMESPACES}>{paragraph(split(n('footer')))}</w:ftr>",
            WORD_TYPE + "footer+xml",
        ),
        "word/footnotes.xml": (notes("footnote", n("footnote")), WORD_TYPE + "footnotes+xml"),
        "word/endnotes.xml": (notes("endnote", n("endnote")), WORD_TYPE + "endnotes+xml"),
        "word/comments.xml": (comments(n), WORD_TYPE + "comments+xml"),
        "word/people.xml": (
            f'{HEAD}<w15:people {NAMESPACES}><w15:person w15:author="{n("people part")}"><w15:presenceInfo '
            f'w15:providerId="AD" w15:userId="{n("user id")}"/></w15:person></w15:people>',
            WORD_TYPE + "people+xml",
        ),
        "word/commentsExtended.xml": (
            f'{HEAD}<w15:commentsEx {NAMESPACES}><!-- {n("modern comments")} --><w15:commentEx w15:paraId="1" '
            'w15:done="0"/></w15:commentsEx>',
            WORD_TYPE + "commentsExtended+xml",
        ),
        "word/theme/theme1.xml": (
            f'{HEAD}<a:theme {NAMESPACES} name="{n("theme")}"><a:themeElements><a:clrScheme name="Office"/>'
            f"</a:themeElements>"
            "</a:theme>",
            OFFICE_TYPE + "theme+xml",
        ),
        "word/glossary/document.xml": (
            f"{HEAD}<w:glossaryDocument {NAMESPACES}><w:docParts><w:docPart><w:docPartPr><w:name w:val="
            f'"{n("building block")}"/></w:docPartPr><w:docPartBody>{paragraph(run(n("glossary")))}</w:docPartBody>'
            "</w:docPart></w:docParts></w:glossaryDocument>",
            WORD_TYPE + "document.glossary+xml",
        ),
        "word/charts/chart1.xml": (chart(n), OFFICE_TYPE + "drawingml.chart+xml"),
        "word/diagrams/data1.xml": (diagram(n), OFFICE_TYPE + "drawingml.diagramData+xml"),
        "word/diagrams/layout1.xml": (
            f'{HEAD}<dgm:layoutDef {NAMESPACES} uniqueId="l"><dgm:title val="{n("SmartArt layout")}"/></dgm:layoutDef>',
            OFFICE_TYPE + "drawingml.diagramLayout+xml",
        ),
        "word/diagrams/quickStyle1.xml": (
            f'{HEAD}<dgm:styleDef {NAMESPACES} uniqueId="s"><dgm:title val=""/></dgm:styleDef>',
            OFFICE_TYPE + "drawingml.diagramStyle+xml",
        ),
        "word/diagrams/colors1.xml": (
            f'{HEAD}<dgm:colorsDef {NAMESPACES} uniqueId="c"><dgm:title val=""/></dgm:colorsDef>',
            OFFICE_TYPE + "drawingml.diagramColors+xml",
        ),
        "word/embeddings/sheet1.xlsx": (
            packed({"xl/sharedStrings.xml": f"<sst><si><t>{n('embedded sheet')}</t></si></sst>".encode()}, {}, {}),
            OFFICE_TYPE + "spreadsheetml.sheet",
        ),
        "word/embeddings/chart1.xlsx": (
            packed({"xl/sharedStrings.xml": f"<sst><si><t>{n('workbook of a chart')}</t></si></sst>".encode()}, {}, {}),
            OFFICE_TYPE + "spreadsheetml.sheet",
        ),
        "word/embeddings/document1.docx": (
            small_docx(n("embedded document")),
            OFFICE_TYPE + "wordprocessingml.document",
        ),
        "word/embeddings/object1.bin": (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + n("OLE object").encode("utf-16-le"),
            OFFICE_TYPE + "oleObject",
        ),
        "word/vbaProject.bin": (n("macro").encode(), "application/vnd.ms-office.vbaProject"),
        "word/afchunk.htm": (f"<html><body><p>{n('HTML chunk')}</p></body></html>", "text/html"),
        "word/afchunk.rtf": (f"{{\\rtf1 {n('RTF chunk')}}}", "application/rtf"),
        f"word/media/{media}.png": (png(n("PNG text")), "image/png"),
        "word/media/photo.jpg": (jpeg(n("EXIF"), n("XMP"), n("JPEG comment"), n("behind a JPEG")), "image/jpeg"),
        "docProps/thumbnail.jpg": (jpeg(n("thumbnail"), "x", "y", ""), "image/jpeg"),
        "docProps/core.xml": (core(n), PACKAGE_TYPE + "core-properties+xml"),
        "docProps/app.xml": (app(n), OFFICE_TYPE + "extended-properties+xml"),
        "docProps/custom.xml": (custom(n), OFFICE_TYPE + "custom-properties+xml"),
        "docMetadata/LabelInfo.xml": (
            f'{HEAD}<l:labelList xmlns:l="{MS}/2020/mipLabelMetadata"><l:label id="{n("sensitivity label")}"/>'
            f"</l:labelList>",
            "application/vnd.ms-office.classificationlabels+xml",
        ),
        "customXml/item1.xml": (f"<data><party>{n('custom XML part')}</party></data>", "application/xml"),
        "customXml/item2.xml": (
            f'<b:Sources xmlns:b="{R.replace("relationships", "bibliography")}"><b:Author>{n("bibliography")}'
            f"</b:Author>"
            "</b:Sources>",
            "application/xml",
        ),
        "word/webextensions/webextension1.xml": (
            f'{HEAD}<we:webextension xmlns:we="{MS}/webextensions/webextension/2010/11" id="{n("web extension")}"/>',
            "application/vnd.ms-office.webextension+xml",
        ),
        "_xmlsignatures/origin.sigs": (b" ", PACKAGE_TYPE + "digital-signature-origin"),
        "_xmlsignatures/sig1.xml": (
            f'<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><KeyName>{n("digital signature")}</KeyName>'
            f"</Signature>",
            PACKAGE_TYPE + "digital-signature-xmlsignature+xml",
        ),
        "word/printerSettings1.bin": (n("printer settings").encode("utf-16-le"), WORD_TYPE + "printerSettings"),
        "word/fonts/font1.odttf": (n("embedded font").encode(), OFFICE_TYPE + "obfuscatedFont"),
        "word/unknown.xml": (f"<x>{n('unknown part')}</x>", f"application/x-{n('unknown content type').lower()}+xml"),
        "word/Stray.xml": (f"<x>{n('stray entry')}</x>", ""),
    }
    main = [
        ("rId1", R + "/styles", "styles.xml", False),
        ("rId2", R + "/numbering", "numbering.xml", False),
        ("rId3", R + "/settings", "settings.xml", False),
        ("rId4", R + "/fontTable", "fontTable.xml", False),
        ("rId5", R + "/webSettings", "webSettings.xml", False),
        ("rIdHeader", R + "/header", "header1.xml", False),
        ("rId6", R + "/header", "header2.xml", False),
        ("rIdFooter", R + "/footer", "footer1.xml", False),
        ("rId7", R + "/footnotes", "footnotes.xml", False),
        ("rId8", R + "/endnotes", "endnotes.xml", False),
        ("rId9", R + "/comments", "comments.xml", False),
        ("rId10", MS + "/2011/relationships/people", "people.xml", False),
        ("rId11", MS + "/2011/relationships/commentsExtended", "commentsExtended.xml", False),
        ("rId12", R + "/theme", "theme/theme1.xml", False),
        ("rId13", R + "/glossaryDocument", "glossary/document.xml", False),
        ("rIdChart", R + "/chart", "charts/chart1.xml", False),
        ("rIdData", R + "/diagramData", "diagrams/data1.xml", False),
        ("rIdLayout", R + "/diagramLayout", "diagrams/layout1.xml", False),
        ("rIdStyle", R + "/diagramQuickStyle", "diagrams/quickStyle1.xml", False),
        ("rIdColors", R + "/diagramColors", "diagrams/colors1.xml", False),
        ("rIdSheet", R + "/package", "embeddings/sheet1.xlsx", False),
        ("rIdDocument", R + "/package", "embeddings/document1.docx", False),
        ("rIdOle", R + "/oleObject", "embeddings/object1.bin", False),
        ("rId14", MS + "/2006/relationships/vbaProject", "vbaProject.bin", False),
        ("rIdHtml", R + "/aFChunk", "afchunk.htm", False),
        ("rIdRtf", R + "/aFChunk", "afchunk.rtf", False),
        ("rIdPicture", R + "/image", f"media/{media}.png", False),
        ("rIdPhoto", R + "/image", "media/photo.jpg", False),
        ("rIdLink", R + "/hyperlink", f"https://example.org/{n('link target').lower()}?a=1", True),
        (f"r{odd}", R + "/hyperlink", "https://example.org/", True),
        ("rId15", R + "/hyperlink", f"file:///C:/Users/{n('path of a link')}/a.docx", True),
        ("rId16", R + "/customXml", "../customXml/item1.xml", False),
        ("rId17", R + "/customXml", "../customXml/item2.xml", False),
        ("rId18", R + "/printerSettings", "printerSettings1.bin", False),
        ("rId19", f"http://example.org/{n('unknown relation')}", "unknown.xml", False),
    ]
    relations = {
        "": [
            ("rId1", R + "/officeDocument", "word/document.xml", False),
            ("rId2", PACKAGE + "/relationships/metadata/core-properties", "docProps/core.xml", False),
            ("rId3", R + "/extended-properties", "docProps/app.xml", False),
            ("rId4", R + "/custom-properties", "docProps/custom.xml", False),
            ("rId5", PACKAGE + "/relationships/metadata/thumbnail", "docProps/thumbnail.jpg", False),
            ("rId6", PACKAGE + "/relationships/digital-signature/origin", "_xmlsignatures/origin.sigs", False),
            ("rId7", MS + "/2020/02/relationships/classificationlabels", "docMetadata/LabelInfo.xml", False),
            ("rId8", MS + "/2011/relationships/webextension", "word/webextensions/webextension1.xml", False),
        ],
        "word/document.xml": main,
        "word/settings.xml": [
            ("rIdTemplate", R + "/attachedTemplate", f"file:///C:/{n('attached template')}.dotm", True),
            ("rIdSource", R + "/mailMergeSource", f"file:///C:/{n('mail merge source')}.csv", True),
        ],
        "word/fontTable.xml": [("rId1", R + "/font", "fonts/font1.odttf", False)],
        "word/charts/chart1.xml": [("rId1", R + "/package", "../embeddings/chart1.xlsx", False)],
        "_xmlsignatures/origin.sigs": [
            ("rId1", PACKAGE + "/relationships/digital-signature/signature", "sig1.xml", False)
        ],
    }
    data = packed(
        {name: c.encode() if isinstance(c, str) else c for name, (c, _) in parts.items()},
        {name: kind for name, (_, kind) in parts.items() if kind},
        relations,
        n("ZIP comment"),
    )
    return data, n.by_place
