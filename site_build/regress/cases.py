"""What a suite is made of: cases that look at a site and say what is wrong, each with a page of its own."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from site_build.model import Ledger
from site_build.regress.servers import World
from site_build.regress.survey import Survey
from site_build.regress.visits import Watch, open_context, watch


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it should be."""

    text: str
    page: str | None = None
    """Where it shows, from the base; None where the page that is open shows it."""


class ElsewhereError(Exception):
    """A case cannot look, because of a fault that another suite tells."""

    def __init__(self, owner: str, text: str) -> None:
        super().__init__(text)
        self.owner, self.text = owner, text


@dataclass
class Visit:
    """What a case works with: the survey, a browser, and the one witness of calls that leave the machine."""

    survey: Survey
    browser: Browser
    world: World
    ledger: Ledger | None = None
    """The ledger that the site was built from, where it is at hand."""
    trace: Path | None = None
    """Where to keep what happened."""
    page: Page | None = None
    """The page that was opened last."""
    contexts: list[BrowserContext] = field(default_factory=list)
    pool: dict[str, Page] = field(default_factory=dict)
    """Tabs that cases share because they leave nothing in them, by what their profiles were opened with."""
    used: set[str] = field(default_factory=set)
    """Those of this case."""

    def context(self, **options: Any) -> BrowserContext:
        """A fresh profile that can reach the site and nothing else."""
        context = open_context(self.browser, self.world, beside=self.survey.base, **options)
        if self.trace is not None:
            context.tracing.start(screenshots=True, snapshots=True)
        self.contexts.append(context)
        return context

    def fresh(self, **options: Any) -> Page:
        """An empty page in a fresh profile."""
        self.page = self.context(**options).new_page()
        return self.page

    def watched(self, **options: Any) -> tuple[Page, Watch]:
        """The same, with all that it asks for and complains about."""
        page = self.fresh(**options)
        return page, watch(page.context)

    def go(self, page: Page, path: str, **options: Any) -> Page:
        """Open a page of the site.

        Raises:
            ElsewhereError: it is not there, which is for the suite of navigation to tell.
        """
        self.page = page
        answer = page.goto(self.survey.base + path, **options)
        if answer is not None and not answer.ok and answer.status != 304:
            raise ElsewhereError("navigation", f"{path}: expected a page, got {answer.status}")
        return page

    def open(self, path: str, **options: Any) -> Page:
        """Open a page of the site in a shared tab: the case reads, and leaves nothing behind."""
        return self.go(self.shared(**options), path)

    def shared(self, **options: Any) -> Page:
        """An empty tab that other cases use before and after; one of its own where a trace is kept.

        A new tab costs the start of a process, which takes longer than a page.
        """
        if self.trace is not None:
            return self.fresh(**options)
        key = repr(sorted(options.items()))
        if key not in self.pool:
            self.pool[key] = open_context(self.browser, self.world, beside=self.survey.base, **options).new_page()
        self.used.add(key)
        self.page = self.pool[key]
        return self.page

    def parsed(self, paths: Iterable[str], selector: str, read: str) -> dict[str, list[dict[str, Any]]]:
        """What `read` says of the parts that `selector` finds, of many pages that need not be drawn; none of lost ones.

        `read` is a function of JavaScript from a part to an object.
        """
        page = self.page or self.open(self.survey.homes[self.survey.languages[0]])
        there = [path for path in paths if (answer := self.survey.answers.get(path)) and answer.ok]
        texts = [self.survey.answers[path].text for path in there]
        found = page.evaluate(
            f"""([texts, selector]) => texts.map((text) => {{
              const page = new DOMParser().parseFromString(text, "text/html");
              return [...page.querySelectorAll(selector)].map({read});
            }})""",
            [texts, selector],
        )
        return dict(zip(there, found, strict=True))

    def close(self, *, good: bool) -> None:
        """Close every profile, and keep the last one's trace where one is wanted.

        Shared tabs are emptied after a good case; after any other they go, for nobody knows what is left in them.
        """
        with ExitStack() as closing:
            for key in self.used:
                if good:
                    closing.callback(self.pool[key].goto, "about:blank")
                else:
                    closing.callback(self.pool.pop(key).context.close)
            for context in self.contexts:
                closing.callback(context.close)
            if self.trace is not None and self.contexts:
                self.contexts[-1].tracing.stop(path=self.trace)
        self.contexts.clear()
        self.used.clear()


type Look = Callable[[Visit], Iterator[Fault]]


@dataclass(frozen=True)
class Case:
    """One thing to look at."""

    name: str
    look: Look
    heavy: bool = False
    """Whether it takes so long that it is better begun early."""


type Suite = Callable[[Survey, Ledger | None], Iterator[Case]]
"""The cases of a suite for one site; none where the site has nothing of that kind."""
