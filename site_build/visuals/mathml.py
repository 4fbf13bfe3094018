"""LaTeX to MathML. A formula that does not parse raises; nothing is guessed."""

import re
from functools import lru_cache
from html import escape

from math_core import LatexError, LatexToMathML

_CONVERTER = LatexToMathML()
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class FormulaError(ValueError):
    """A formula that is not LaTeX, with the reason in one line."""


@lru_cache(maxsize=4096)
def to_mathml(latex: str, *, display: bool = False) -> str:
    """Convert a formula; its accessible name is the formula as written.

    Raises:
        FormulaError: the formula does not parse.
    """
    try:
        mathml = _CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        text = _COLOUR.sub("", str(error)).strip()
        raise FormulaError(text.splitlines()[0].removeprefix("Error: ")) from None
    return mathml.replace("<math", f'<math aria-label="{escape(latex)}"', 1)
