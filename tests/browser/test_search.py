import re

import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from playwright.sync_api import expect

from site_build.regress.finding import INDEX, first_places, typed
from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext

QUERIES = {
    "en": {
        "Q04": "questions/Q04/",
        "rl01": "redlines/RL01/",
        "channel-wise decay": "glossary/#channel-wise-decay",
        "recurrent sta": "glossary/#recurrent-state",
        "quantile balancing": "glossary/#quantile-balancing",
        "FlashKDA": "glossary/#flash-kda",
        "LatentMoE": "glossary/#latent-moe",
        "1,572,864": "questions/Q04/",
        "SiTU-GLU": "glossary/#situ-glu",
        "log-decay": "glossary/#log-decay",
        "LatentMoE accuracy per FLOP": "nodes/latentmoe/",
        "循环状态": "glossary/#recurrent-state",
    },
    "zh": {
        "Q14": "questions/Q14/",
        "循环状态": "glossary/#recurrent-state",
        "总参数": "glossary/#total-parameters",
        "KDA 循环状态": "glossary/#recurrent-state",
        "FlashKDA": "glossary/#flash-kda",
        "LatentMoE": "glossary/#latent-moe",
        "sparsity": "glossary/#sparsity",
        "稀疏度": "glossary/#sparsity",
        "消费级硬件": "redlines/RL02/",
        "规格表在报告": "corrections/C01/",
        "SiTU-GLU": "glossary/#situ-glu",
        "1,572,864": "questions/Q04/",
    },
}
"""What readers type, and what has to come first: ids, terms, half words, names of formulas, numbers, mixed text."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_results(new_context: OpenContext, site: Site, language: str) -> None:
    """What a reader looks for stands first: ids, terms, names, numbers, mixed text, and words of the other language."""
    page = new_context().new_page()
    home = site.url + home_of(language)
    page.goto(home)
    found = {query: first_places(page, home, query) for query in QUERIES[language]}
    wrong = [
        f"{query}: {want}, got {found[query]}" for query, want in QUERIES[language].items() if want not in found[query]
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_result_leads_to_its_place(new_context: OpenContext, site: Site, language: str) -> None:
    """A result's link opens the page at the place that was found."""
    page = new_context().new_page()
    page.goto(site.url + home_of(language))
    typed(page, "循环状态").locator('.md-search-result__link[href*="#"]').first.click()
    page.wait_for_url(re.compile("#"))
    expect(page.locator(f"[id='{page.url.partition('#')[2]}']")).to_be_in_viewport()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_index_comes_with_the_first_use(
    new_context: OpenContext, site: Site, published: Published, language: str, width: int
) -> None:
    """Neither index nor worker comes with the page; both come, once, when the reader goes to the search field."""
    page = new_context(viewport={"width": width, "height": 800}).new_page()
    site.arrivals.clear()
    page.goto(site.url + published.questions(language)[0], wait_until="networkidle")
    assert not [path for path in site.arrivals if path.endswith(INDEX)]
    assert page.workers == []
    expect(typed(page, "KDA")).to_be_visible()
    assert [path for path in site.arrivals if path.endswith(INDEX)] == [f"/{home_of(language)}{INDEX}"]
    assert len(page.workers) == 1


@pytest.mark.parametrize(("language", "words"), [("en", "no engine was measured"), ("zh", "也没有测量任何引擎")])
def test_a_result_shows_how_far_the_evidence_goes(
    new_context: OpenContext, site: Site, language: str, words: str
) -> None:
    """A question's boundary stands in its result, whatever words the reader was looking for."""
    page = new_context().new_page()
    page.goto(site.url + home_of(language))
    expect(typed(page, "Q04").locator(".rl-result__boundary")).to_contain_text(words)


def test_nothing_found_says_so(new_context: OpenContext, site: Site) -> None:
    """A word that stands nowhere gives no result and a sentence, not a list of everything."""
    page = new_context().new_page()
    page.goto(site.url)
    typed(page, "xylophone")
    expect(page.locator(".md-search-result__meta")).to_have_text(re.compile("No matching"))
    assert page.locator(".md-search-result__item").count() == 0


def test_search_works_below_a_path(new_context: OpenContext, site_below: Site) -> None:
    """On a site that stands below a path the results stand below it too."""
    page = new_context().new_page()
    page.goto(f"{site_below.url}zh/questions/")
    typed(page, "Q04").locator(".md-search-result__link").first.click()
    page.wait_for_url(re.compile(re.escape(f"{site_below.url}zh/questions/Q04/")))
