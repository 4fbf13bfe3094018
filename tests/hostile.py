"""Text that wants to be executed, and that has to appear on the page as it was typed."""

from builders import edit

TYPED = (
    "{{ 7*7 }}",
    "{% raw %}",
    "{#c9 onclick=alert(1) .x}",
    "{: #c8 onmouseover=alert(2) }",
    "~gone~ and 1~2",
    "x^up^ y",
    "100 % of it",
    "&lt;b&gt; &amp; &#106;",
    "${jndi:x}",
    "<< x >> and a<5",
    "\"quoted\" and 'quoted'",
)
"""Each stands in a claim of the hostile project, outside code."""
IN_CODE = ("<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "{{ config }}", "</code></p><b>")
"""Each stands there in backticks."""
_PLAIN = " | ".join(TYPED).replace("'", "''").replace("$", "\\$")
_CODE = " ".join(f"`{text}`" for text in IN_CODE)
HOSTILE = (
    edit("ledger/questions/Q1.yaml", "'A model floor.'", f"'{_PLAIN} {_CODE}'"),
    edit("ledger/questions/Q1.yaml", "'模型地面。'", f"'{_PLAIN} {_CODE}'"),
)
