"""Regular expressions that an editor writes."""

import re
import warnings


def read_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a regular expression.

    Raises:
        re.error: it is none, too large, or one to which another Python will give another meaning.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            return re.compile(text, flags)
        except (FutureWarning, OverflowError) as fault:
            raise re.error(str(fault)[:1].lower() + str(fault)[1:]) from None
        except RecursionError:
            raise re.error("too many parts within one another") from None
