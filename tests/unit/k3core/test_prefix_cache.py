"""The hybrid prefix cache: lookup, pinning, landing, copying, eviction, and its invariants under any interleaving."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core.cache_invariants import BrokenCacheError, check_cache, lookup_by_scan
from k3core.guards import InputError
from k3core.prefix_cache import PrefixCache, chain_hashes, longest_boundary

CASES = list(zip(inputs("15.1")["cases"], expected("15.1")["hit"], strict=True))


def small(capacity: int = 40, groups: int = 3) -> PrefixCache:
    """Build a pool of pages of three blocks of two tokens."""
    return PrefixCache(capacity=capacity, groups=groups, block_tokens=2, page_blocks=3)


def filled(*marks: int, tokens: range = range(20)) -> PrefixCache:
    """Run one request over `tokens` and leave checkpoints after the marked blocks."""
    cache = small()
    cache.begin("first", tokens)
    for before, mark in pairwise([0, *marks]):
        cache.advance("first", mark - before)
        assert cache.register("first")
    cache.end("first")
    cache.land()
    check_cache(cache)
    return cache


@pytest.mark.parametrize(("case", "want"), [pytest.param(c, w, id=f"match{c['match']}-hit{w}") for c, w in CASES])
def test_longest_common_boundary(case: dict[str, list[list[int]]], want: int) -> None:
    """The hit is the longest boundary within the match that every group has."""
    assert longest_boundary(case["match"], case["groups"], 512) == want  # type: ignore[arg-type]


def test_figure_12() -> None:
    """2800 matching tokens in a page of 6144 hit five hash blocks, up to the checkpoint at 2560."""
    cache = PrefixCache(capacity=12, groups=3, block_tokens=512, page_blocks=12)
    cache.begin("first", range(2800))
    for blocks in (2, 3):
        cache.advance("first", blocks)
        cache.register("first")
    cache.end("first")
    cache.land()
    assert cache.reach(chain_hashes(range(2800), 512)) == 5
    assert cache.lookup(range(2800)) == expected("15.2")["hit_before"]
    cache.evict_checkpoint(1, chain_hashes(range(2800), 512)[4])
    check_cache(cache)
    assert cache.lookup(range(2800)) == expected("15.2")["hit_after"]
    assert cache.lookup(range(1023)) == 0


def test_a_hash_certifies_everything_before_it() -> None:
    """Changing the first token changes every hash, changing a later one only those from its block on."""
    plain = chain_hashes(range(10), 2)
    assert not set(plain) & set(chain_hashes([99, *range(1, 10)], 2))
    assert [a == b for a, b in zip(plain, chain_hashes([0, 1, 2, 3, 99, 5, 6, 7, 8, 9], 2), strict=True)] == [
        1,
        1,
        0,
        0,
        0,
    ]
    assert len(chain_hashes(range(11), 2)) == 5


def test_a_hit_resumes_what_was_computed() -> None:
    """A second request takes the longest common boundary, and goes on from a copy of its states."""
    cache = filled(4, 7)
    assert cache.lookup(range(20)) == 14
    other = [*range(12), 99, 98, 97, 96]
    assert cache.begin("second", other) == 8
    check_cache(cache)
    cache.advance("second", 4)
    check_cache(cache)
    assert cache.register("second")
    cache.land()
    check_cache(cache)
    assert cache.lookup(other) == 16
    assert cache.lookup(range(20)) == 14


@pytest.mark.parametrize("same", range(6))
def test_latents_reach_as_far_as_the_tokens_agree(same: int) -> None:
    """Whole pages and the blocks inside the next page count as far as they are equal, and no block further."""
    cache = filled(5, tokens=range(10))
    prompt = [*range(2 * same), *range(100, 110 - 2 * same)]
    assert cache.reach(chain_hashes(prompt, 2)) == same


def test_nothing_matches_before_it_has_landed() -> None:
    """What was registered in this step is not yet there for others."""
    cache = small()
    cache.begin("first", range(12))
    cache.advance("first", 6)
    cache.register("first")
    assert cache.reach(chain_hashes(range(12), 2)) == cache.lookup(range(12)) == 0
    cache.land()
    assert cache.lookup(range(12)) == 12


def test_nothing_that_is_landing_can_be_evicted() -> None:
    """A page whose copy is under way gives no room, even when its request has ended."""
    cache = PrefixCache(capacity=5, groups=2, block_tokens=2, page_blocks=2)
    cache.begin("first", range(4))
    cache.advance("first", 2)
    cache.register("first")
    cache.end("first")
    assert cache.begin("second", range(50, 58)) is None
    check_cache(cache)
    cache.land()
    assert cache.begin("second", range(50, 58)) == 0
    check_cache(cache)


def test_an_earlier_boundary_is_kept_beside_a_later_one() -> None:
    """A slower request over the same tokens adds its own boundary."""
    cache = small()
    for name in ("fast", "slow"):
        cache.begin(name, range(4))
    for name, blocks in (("fast", 2), ("slow", 1)):
        cache.advance(name, blocks)
        assert cache.register(name)
        cache.land()
    check_cache(cache)
    assert cache.lookup(range(2)) == 2


def test_the_least_recent_goes_first() -> None:
    """Under pressure the boundary that nobody used lately makes room."""
    cache = PrefixCache(capacity=8, groups=1, block_tokens=2, page_blocks=1)
    for start in (0, 50, 80):
        cache.begin("fill", range(start, start + 2))
        cache.advance("fill", 1)
        cache.register("fill")
        cache.end("fill")
        cache.land()
    cache.begin("reader", range(2))
    cache.end("reader")
    cache.begin("wide", range(200, 206))
    check_cache(cache)
    assert [cache.lookup(range(start, start + 2)) for start in (0, 50, 80)] == [2, 0, 2]


def test_what_lands_together_is_kept_once() -> None:
    """Two requests that reach one boundary in one step leave one checkpoint per group."""
    cache = small()
    for name in ("a", "b"):
        cache.begin(name, range(4))
        cache.advance(name, 2)
        cache.register(name)
    cache.land()
    check_cache(cache)
    assert len(cache.checkpoints) == 3


def test_latents_without_a_checkpoint_are_no_hit() -> None:
    """Matching latents past the last checkpoint do not lengthen a hit."""
    cache = filled(4)
    cache.begin("second", range(20))
    cache.advance("second", 6)
    for page in cache.requests["second"].own:
        cache.pages[page].registered = len(cache.pages[page].content)
        cache.landing.append(page)
    cache.land()
    check_cache(cache)
    assert cache.reach(chain_hashes(range(20), 2)) == 10
    assert cache.lookup(range(20)) == 8


def test_a_pinned_hit_survives_pressure() -> None:
    """A request that needs the whole pool but its own hit gets it, and the hit stays."""
    cache = PrefixCache(capacity=10, groups=2, block_tokens=2, page_blocks=2)
    for start in (0, 50):
        cache.begin("fill", range(start, start + 8))
        cache.advance("fill", 4)
        cache.register("fill")
        cache.end("fill")
        cache.land()
    check_cache(cache)
    hit = range(8)
    assert cache.begin("reader", [*hit, *range(100, 108)]) == 8
    check_cache(cache)
    assert cache.lookup(hit) == 8
    assert cache.lookup(range(50, 58)) == 0


def test_no_room_changes_nothing() -> None:
    """A request that cannot fit is turned away, with nothing pinned or evicted."""
    cache = filled(4, 7)
    before = dict(cache.checkpoints)
    assert cache.begin("huge", range(500)) is None
    check_cache(cache)
    assert cache.checkpoints == before
    assert cache.lookup(range(20)) == 14


def test_no_room_for_every_group_means_no_checkpoint() -> None:
    """Where not all groups fit, none is kept, for a part could never be hit."""
    cache = PrefixCache(capacity=5, groups=3, block_tokens=2, page_blocks=2)
    cache.begin("only", range(8))
    cache.advance("only", 4)
    assert not cache.register("only")
    cache.land()
    check_cache(cache)
    assert not cache.checkpoints
    assert cache.reach(chain_hashes(range(8), 2)) == 4


PROMPTS = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 9, 9, 9, 9, 9], [0, 1, 8, 8], [7, 7, 7, 7, 7, 7], [0]]
EVENTS = st.tuples(st.sampled_from("badrle"), st.integers(0, 3), st.sampled_from(range(len(PROMPTS))))


def play(cache: PrefixCache, event: tuple[str, int, int]) -> None:
    """Do one thing to the cache if it makes sense there."""
    action, who, which = event
    name = f"request {who}"
    if action == "b" and name not in cache.requests:
        hit = cache.lookup(PROMPTS[which])
        assert cache.begin(name, PROMPTS[which]) in (hit, None)
    elif action == "l":
        cache.land()
    elif action == "e" and cache.checkpoints:
        group, key = sorted(cache.checkpoints)[which % len(cache.checkpoints)]
        if not cache.pages[cache.checkpoints[group, key]].pins:
            cache.evict_checkpoint(group, key)
    elif name in cache.requests:
        request = cache.requests[name]
        if action == "a":
            cache.advance(name, min(which, len(request.blocks) - request.done))
        elif action == "r" and request.done:
            cache.register(name)
        elif action == "d":
            cache.end(name)


def hits_while(cache: PrefixCache, events: list[tuple[str, int, int]]) -> int:
    """Play events, check everything after each, and count the prompts that were found in part."""
    hits = 0
    for event in events:
        play(cache, event)
        check_cache(cache)
        for prompt in PROMPTS:
            found = cache.lookup(prompt)
            assert found == lookup_by_scan(cache, prompt)
            hits += found > 0
    return hits


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(st.integers(4, 14), st.integers(1, 3), st.integers(1, 3), st.lists(EVENTS, max_size=50))
def test_invariants_hold_under_any_interleaving(
    capacity: int, groups: int, page_blocks: int, events: list[tuple[str, int, int]]
) -> None:
    """After every event the pool adds up, every state is that of its tokens, and the scan finds the same hits."""
    hits_while(PrefixCache(capacity=capacity, groups=groups, block_tokens=1, page_blocks=page_blocks), events)


@pytest.mark.parametrize("page_blocks", [1, 2, 3])
@pytest.mark.parametrize("groups", [1, 2])
def test_a_busy_cache_hits_all_the_time(groups: int, page_blocks: int) -> None:
    """Two requests that run, register and end a thousand times, so that the comparisons are not all of empty pools."""
    drawn = Random(7)
    events = [(drawn.choice("bbaaarrllde"), drawn.randrange(2), drawn.randrange(len(PROMPTS))) for _ in range(1000)]
    cache = PrefixCache(capacity=14, groups=groups, block_tokens=1, page_blocks=page_blocks)
    assert hits_while(cache, events) > 500


def drop_one_sibling(cache: PrefixCache) -> None:
    """Evict a checkpoint and forget its siblings."""
    cache.free.append(cache.checkpoints.pop(next(iter(cache.checkpoints))))
    del cache.pages[cache.free[-1]]


def use_in_place(cache: PrefixCache) -> None:
    """Let a request change the checkpoint it hit."""
    page = cache.pages[cache.requests["second"].pinned[-1]]
    page.content = ["changed"]


def resume_too_far(cache: PrefixCache) -> None:
    """Take latents past the checkpoint and go on from the older state."""
    cache.requests["second"].done += 1


def pin_nothing(cache: PrefixCache) -> None:
    """Forget the pins of one request."""
    for number in cache.requests["second"].pinned:
        cache.pages[number].pins = 0


def file_under_a_later_boundary(cache: PrefixCache) -> None:
    """Keep a state under the key of a boundary it has not reached."""
    (group, key), number = next(iter(cache.checkpoints.items()))
    for each in range(cache.groups):
        cache.checkpoints[each, "later"] = cache.checkpoints.pop((each, key))
    assert cache.checkpoints[group, "later"] == number


def lose_a_page(cache: PrefixCache) -> None:
    """Free a page twice."""
    cache.free.append(cache.free[0])


def match_early(cache: PrefixCache) -> None:
    """Offer latents that are not yet computed."""
    cache.latents["soon"] = [cache.requests["second"].own[0]]


def offer_a_checkpoint_as_latents(cache: PrefixCache) -> None:
    """Take the page of a state for one of latents: it holds the very key."""
    (_, key), number = next(iter(cache.checkpoints.items()))
    cache.latents[key].append(number)


def offer_no_page(cache: PrefixCache) -> None:
    """Lead to a page that was freed."""
    cache.latents["gone"] = [cache.free[0]]


def forget_latents(cache: PrefixCache) -> None:
    """Leave landed latents out of the index."""
    del cache.latents[next(iter(cache.latents))]


def land_before_registering(cache: PrefixCache) -> None:
    """Match what was never offered."""
    page = cache.pages[cache.requests["second"].pinned[0]]
    page.registered = page.landed - 1


def register_what_is_not_computed(cache: PrefixCache) -> None:
    """Offer more than a page holds."""
    page = cache.pages[cache.requests["second"].pinned[0]]
    page.registered = len(page.content) + 1


def exchange_what_was_hit(cache: PrefixCache) -> None:
    """Give the checkpoints that a request reads to another boundary, index and all."""
    for group, number in enumerate(cache.requests["second"].pinned[-cache.groups :]):
        (key,) = cache.pages[number].content
        cache.checkpoints[group, "other"] = cache.checkpoints.pop((group, key))
        cache.pages[number].content = ["other"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(drop_one_sibling, "checkpoints in 2 of 3 groups", id="sibling"),
        pytest.param(use_in_place, "holds something else", id="in-place"),
        pytest.param(resume_too_far, "state of group 0 is not that of its tokens", id="resume-too-far"),
        pytest.param(pin_nothing, "0 pins, 1 requests need it", id="unpinned"),
        pytest.param(file_under_a_later_boundary, "checkpoint later of group 0", id="wrong-key"),
        pytest.param(lose_a_page, "or one counted twice", id="double-free"),
        pytest.param(match_early, "latents soon: page", id="early"),
        pytest.param(offer_a_checkpoint_as_latents, "latents .{8}: page", id="kind"),
        pytest.param(offer_no_page, "latents gone: page", id="no-page"),
        pytest.param(forget_latents, "or missing in the index", id="unlisted"),
        pytest.param(land_before_registering, "landed 3, registered 2", id="landed-before-registered"),
        pytest.param(register_what_is_not_computed, "landed 3, registered 4", id="registered-before-computed"),
        pytest.param(exchange_what_was_hit, "request second: the checkpoint it hit changed", id="exchanged"),
    ],
)
def test_each_invariant_can_break(damage: Callable[[PrefixCache], None], message: str) -> None:
    """Every known way to get this wrong is seen by the checker."""
    cache = filled(4, 7)
    cache.begin("second", range(20))
    check_cache(cache)
    damage(cache)
    with pytest.raises(BrokenCacheError, match=message):
        check_cache(cache)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: small(capacity=0), "capacity: expected a whole number from 1, got 0", id="capacity"),
        pytest.param(lambda: small().advance("x", 1), "name: expected a request that is running, got 'x'", id="ended"),
        pytest.param(lambda: longest_boundary(1, [], 512), "groups: expected at least one", id="groups"),
        pytest.param(lambda: longest_boundary(-1, [[1]], 512), "match: .*from 0, got -1", id="match"),
        pytest.param(lambda: filled(4).evict_checkpoint(0, "no"), "key: .*got no of group 0", id="key"),
    ],
)
def test_bad_input_is_named(call: Callable[[], object], message: str) -> None:
    """What the cache does not have is refused with its name."""
    with pytest.raises(InputError, match=message):
        call()


def test_misuse_of_a_request_is_named() -> None:
    """A request cannot start twice, run past its tokens, or register before it has computed."""
    cache = small()
    cache.begin("one", range(4))
    with pytest.raises(InputError, match="name: expected a request that is not running"):
        cache.begin("one", range(4))
    with pytest.raises(InputError, match="blocks: expected a whole number from 0 to 2, got 3"):
        cache.advance("one", 3)
    with pytest.raises(InputError, match="name: expected a request with a whole block computed"):
        cache.register("one")
