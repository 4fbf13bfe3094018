"""Quoting a claim in a browser, its card on another site, and pinned pages after three releases."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.once import once
from browser.servers import HostedSite, LoggedSite, PlainSite, Site, serving
from browser.test_axe import SCHEMES
from browser.test_keyboard import reach
from playwright.sync_api import Page, expect
from released_worlds import three_releases

from site_build.regress.axe import broken_rules
from site_build.regress.markup import listed, squeezed
from site_build.regress.paper import printed
from site_build.regress.visits import STILL, OpenContext, watch

HOME = {"en": "", "zh": "zh/"}
both = pytest.mark.parametrize("language", HOME)


@pytest.fixture(scope="module")
def quoted(shared: Path) -> Iterator[Site]:
    """The tiny project after three releases."""

    def build(unfinished: Path) -> None:
        root = three_releases(unfinished / "project")
        command = [sys.executable, "-m", "site_build", "build", "--root", str(root), "--out", str(unfinished / "site")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    once(shared / "citing", build)
    with serving(shared / "citing" / "site") as site:
        yield site


def at(page: Page, quoted: Site, language: str, path: str) -> Page:
    """Go to a page of a language."""
    page.goto(quoted.url + HOME[language] + path)
    return page


@both
def test_the_dialog_copies_what_the_page_has(new_context: OpenContext, quoted: Site, language: str) -> None:
    """By keyboard: open, choose a form, copy, close; the page of the forms is fetched on first use, and once."""
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    seen = watch(context)
    page = at(context.new_page(), quoted, language, "questions/Q1/")
    wanted = f"{quoted.url}{HOME[language]}cite/Q1/"
    assert wanted not in seen.asked
    link = page.locator("#c1 [data-cite]")
    reach(page, link)
    page.keyboard.press("Enter")
    dialog = page.locator("dialog.rl-dialog")
    expect(dialog).to_be_visible()
    shown = dialog.locator(".rl-form:visible pre")
    expect(shown).to_have_count(1)
    first = {"en": "APA", "zh": "GB/T 7714-2025"}[language]
    assert dialog.locator("select option:checked").inner_text() == first
    dialog.locator("select").select_option(label="BibTeX")
    expect(shown).to_contain_text("@misc{q1-c1-")
    reach(page, dialog.locator(".rl-form:visible button"))
    page.keyboard.press("Enter")
    expect(dialog.locator(".rl-form:visible [role=status]")).not_to_be_empty()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == shown.text_content()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    assert seen.asked.count(wanted) == 1
    assert not seen.complaints, listed(seen.complaints)


@both
def test_without_script_or_answer_the_link_leads_there(new_context: OpenContext, quoted: Site, language: str) -> None:
    """Without JavaScript, and where nothing can be fetched, it is a link; without a clipboard, the text is selected."""
    for scripts in (False, True):
        page = new_context(java_script_enabled=scripts).new_page()
        if scripts:
            page.add_init_script("window.fetch = () => Promise.reject(new TypeError('offline'));")
            page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });")
        at(page, quoted, language, "questions/Q1/").locator("#c2 [data-cite]").click()
        page.wait_for_url(f"{quoted.url}{HOME[language]}cite/Q1/#c2")
        expect(page.locator("#c2 [data-form=csl] pre")).to_contain_text('"type": "webpage"')
    page.locator("#c2 [data-form=ris] button").click()
    picked = page.evaluate("getSelection().toString()")
    assert picked.startswith("TY  - ELEC")


@both
def test_a_withdrawn_claim_offers_no_form(new_context: OpenContext, quoted: Site, language: str) -> None:
    """Its dialog leads to the releases in which it stood."""
    page = at(new_context().new_page(), quoted, language, "questions/Q1/")
    page.locator("#c4 [data-cite]").click()
    dialog = page.locator("dialog.rl-dialog")
    expect(dialog.locator(".rl-form")).to_have_count(0)
    dialog.locator("a", has_text="2026.2.0").click()
    page.wait_for_url(f"{quoted.url}{HOME[language]}r/2026.2.0/Q1/#c4")
    expect(page.locator("#c4 .rl-since")).to_contain_text({"en": "No model.", "zh": "没有模型。"}[language])


@pytest.mark.parametrize(
    ("language", "version", "text", "letter", "banner"),
    [
        ("en", "2026.1.0", "The report gives 2 rows.", "R", "Evidence downgraded since."),
        ("zh", "2026.1.0", "报告给出 2 行。", "R", "此后证据等级降低。"),
        ("en", "2026.2.0", "The report gives two rows.", "T", ""),
        ("zh", "2026.2.0", "报告给出两行。", "T", ""),
        ("en", "2026.10.0", "The report gives two rows.", "T", "Restored since."),
        ("zh", "2026.10.0", "报告给出两行。", "T", "此后已恢复。"),
    ],
)
def test_a_pinned_address_stays_right(  # noqa: PLR0917 - what the page of a release shows
    new_context: OpenContext, quoted: Site, language: str, version: str, text: str, letter: str, banner: str
) -> None:
    """Words, grade and boundary are those of the release; a note tells what came after, with the difference."""
    page = at(new_context().new_page(), quoted, language, f"r/{version}/Q1/#c2")
    claim = page.locator("#c2")
    expect(claim).to_be_in_viewport()
    expect(claim.locator(".rl-claim__text")).to_have_text(text)
    expect(claim.locator(".rl-grade__letter")).to_have_text(letter)
    expect(claim.locator(".rl-claim__boundary")).to_contain_text(
        {"en": "For this floor only.", "zh": "只限这块地面。"}[language]
    )
    expect(claim.locator(".rl-since strong")).to_have_text([banner] if banner else [])
    gone = [words.strip() for words in claim.locator(".rl-since del").all_inner_texts()]
    assert gone == (["R", "2", "report §1 eq.1"] if version == "2026.1.0" else [])
    expect(claim.locator(".rl-withdrawn")).to_have_count(int(version == "2026.10.0"))


@both
@pytest.mark.parametrize("handler", [LoggedSite, HostedSite])
def test_only_cards_are_framed_elsewhere(
    new_context: OpenContext, quoted: Site, tmp_path: Path, language: str, handler: type[LoggedSite]
) -> None:
    """On a page of another origin a card stands in its frame, whole; a page of the site is refused by its header."""
    with serving(quoted.folder, handler=handler) as hosted:
        _assert_framed(new_context, hosted, tmp_path, language)


def _assert_framed(new_context: OpenContext, quoted: Site, tmp_path: Path, language: str) -> None:
    """Raise unless a card stands on a page of another origin, and a page of the site does not."""
    frames = "".join(
        f'<iframe name="{name}" width="320" height="400" src="{quoted.url}{HOME[language]}{path}"></iframe>'
        for name, path in (("card", "cards/Q1.c1/"), ("page", "questions/Q1/"))
    )
    picture = f'<img width="320" src="{quoted.url}{HOME[language]}cards/Q1.c1.svg" alt="">'
    (tmp_path / "index.html").write_text(f"<!doctype html><title>Elsewhere</title>{frames}{picture}", encoding="utf-8")
    with serving(tmp_path, handler=PlainSite) as elsewhere:
        context = new_context()
        seen = watch(context)
        page = context.new_page()
        page.goto(elsewhere.url, wait_until="networkidle")
        card, other = page.frame("card"), page.frame("page")
        assert card is not None
        assert other is not None
        assert card.locator(".boundary").is_visible()
        assert card.evaluate("document.documentElement.scrollWidth") <= 320
        assert other.locator(".rl-claim").count() == 0
        assert page.locator("img").evaluate("picture => picture.naturalWidth") == 360
        with context.expect_page() as opened:
            card.locator("a").click()
        expect(opened.value.locator("#c1.rl-claim")).to_be_in_viewport()
    assert [line for line in seen.complaints if "frame-ancestors" in line], seen.complaints
    assert not [line for line in seen.complaints if "/cards/" in line], seen.complaints


@both
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(new_context: OpenContext, quoted: Site, language: str, scheme: str) -> None:
    """Claims unfolded, the dialog, the page of forms, a pinned page and both kinds of cards break no rule."""
    page = new_context(color_scheme="light" if scheme == SCHEMES[0] else "dark").new_page()
    wrong = []
    for path in ("questions/Q1/", "cite/Q1/", "r/2026.1.0/Q1/", "cards/Q1.c1/", "cards/Q1.c4/"):
        at(page, quoted, language, path)
        page.add_style_tag(content=STILL)
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
            wrong += [f"{path} {width} px: {fault}" for fault in broken_rules(page)]
    at(page, quoted, language, "questions/Q1/").locator("#c1 [data-cite]").click()
    expect(page.locator("dialog.rl-dialog")).to_be_visible()
    wrong += [f"dialog: {fault}" for fault in broken_rules(page)]
    assert not wrong, listed(wrong)


@both
def test_type_in_pictures_is_legible_and_inside(new_context: OpenContext, quoted: Site, language: str) -> None:
    """At 320 pixels no letter is smaller than eleven, and no line leaves the picture."""
    page = new_context(viewport={"width": 320, "height": 800}).new_page()
    for claim in ("Q1.c1", "Q1.c4"):
        at(page, quoted, language, f"cards/{claim}.svg")
        lines = page.evaluate(
            """() => [...document.querySelectorAll("text")].map((line) => ({
              right: line.getBBox().x + line.getBBox().width, size: parseFloat(getComputedStyle(line).fontSize) }))"""
        )
        assert lines
        assert all(line["right"] <= 356 for line in lines), lines
        assert min(line["size"] for line in lines) * 320 / 360 >= 11


@both
def test_paper_has_evidence_and_no_buttons(new_context: OpenContext, quoted: Site, language: str) -> None:
    """Grade, boundary and what was folded are printed; the way to the forms is not."""
    page = at(new_context().new_page(), quoted, language, "questions/Q1/")
    cite = page.locator("#c1 .rl-claim__cite")
    expect(cite).to_be_visible()
    boundary = page.locator("#c1 .rl-claim__boundary").inner_text()
    folded = page.locator("#c1 .rl-profile dd").first.text_content() or ""
    paper = printed(page)
    for part in ("D", boundary, folded):
        assert squeezed(part) in paper, part
    page.emulate_media(media="print")
    expect(cite).to_be_hidden()
