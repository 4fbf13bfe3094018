"""What must hold in a prefix cache at any moment, recounted from its pages, and a lookup that trusts no index."""

from collections import Counter
from collections.abc import Iterator, Sequence

from k3core.prefix_cache import EMPTY, PrefixCache, chain_hashes, link_hash


class BrokenCacheError(AssertionError):
    """An invariant of the cache does not hold: a fault of the model, never of its user."""


def check_cache(cache: PrefixCache) -> None:
    """Raise the first broken invariant.

    Raises:
        BrokenCacheError: with the invariant and the page, request or key at fault.
    Source: report §5.4.1, the rules of pinning, landing, copying and eviction.
    """
    for fault in _faults(cache):
        raise BrokenCacheError(fault)


def _faults(cache: PrefixCache) -> Iterator[str]:
    """List what is broken, in a fixed order."""
    yield from _pages_are_counted_once(cache)
    yield from _pins_are_counted(cache)
    yield from _siblings_stand_together(cache)
    yield from _index_holds_what_it_says(cache)
    yield from _requests_hold_what_they_hit(cache)


def _pages_are_counted_once(cache: PrefixCache) -> Iterator[str]:
    """Free and used pages make up the pool."""
    if sorted([*cache.free, *cache.pages]) != list(range(cache.capacity)):
        yield f"pool: {len(cache.free)} free and {len(cache.pages)} used of {cache.capacity}, or one counted twice"
    owned = Counter(n for r in cache.requests.values() for n in [*r.own, *r.running])
    for page in cache.pages.values():
        private = page.kind == "running" or (page.kind == "latent" and not page.registered)
        if owned[page.number] > 1 or (private and not owned[page.number]):
            yield f"page {page.number}: {owned[page.number]} owners"


def _pins_are_counted(cache: PrefixCache) -> Iterator[str]:
    """A page is pinned once for each request that reads it and once by the request that fills it."""
    pins = Counter(n for r in cache.requests.values() for n in [*r.pinned, *r.own])
    for number in {*pins, *cache.pages}:
        held = cache.pages[number].pins if number in cache.pages else None
        if held != pins[number]:
            yield f"page {number}: {held} pins, {pins[number]} requests need it"


def _siblings_stand_together(cache: PrefixCache) -> Iterator[str]:
    """A boundary has a checkpoint in every group or in none."""
    groups = Counter(key for _, key in cache.checkpoints)
    for key, count in groups.items():
        if count != cache.groups:
            yield f"boundary {key[:8]}: checkpoints in {count} of {cache.groups} groups"


def _index_holds_what_it_says(cache: PrefixCache) -> Iterator[str]:
    """Each entry leads to a landed page whose content is what the key certifies, and no landed page is left out."""
    for (group, key), number in cache.checkpoints.items():
        page = cache.pages.get(number)
        if page is None or (page.kind, page.group, page.content, page.landed) != ("checkpoint", group, [key], 1):
            yield f"checkpoint {key[:8]} of group {group}: page {number} holds something else"
    for key, numbers in cache.latents.items():
        for number in numbers:
            page = cache.pages.get(number)
            if page is None or page.kind != "latent" or key not in page.content[: page.landed]:
                yield f"latents {key[:8]}: page {number} holds something else"
    for page in cache.pages.values():
        if page.kind == "latent":
            listed = all(page.number in cache.latents.get(e, []) for e in page.content[: page.landed])
        else:
            entry = cache.checkpoints.get((page.group, page.content[0]))
            listed = page.kind == "running" or page.number in cache.landing or page.number == entry
        if not listed or page.landed > page.registered or page.registered > len(page.content):
            yield f"page {page.number}: landed {page.landed}, registered {page.registered}, or missing in the index"


def _requests_hold_what_they_hit(cache: PrefixCache) -> Iterator[str]:
    """A request's states and latents are those of its own tokens, and what it hit is still there."""
    for name, request in cache.requests.items():
        state = EMPTY
        states = [state := link_hash(state, block) for block in request.blocks[: request.done]]
        for number in request.running:
            if cache.pages[number].content != [states[-1] if states else EMPTY]:
                yield f"request {name}: state of group {cache.pages[number].group} is not that of its tokens"
        start = request.hit // cache.page_blocks * cache.page_blocks
        if [entry for n in request.own for entry in cache.pages[n].content] != states[start:]:
            yield f"request {name}: latents are not those of its tokens"
        if request.hit:
            for number in request.pinned[len(request.pinned) - cache.groups :]:
                if cache.pages[number].content != [states[request.hit - 1]]:
                    yield f"request {name}: the checkpoint it hit changed"


def lookup_by_scan(cache: PrefixCache, tokens: Sequence[int]) -> int:
    """Find the longest hit by looking at every page for every boundary: the slow truth of `PrefixCache.lookup`.

    Source: report §5.4.1.
    """
    hashes = chain_hashes(tokens, cache.block_tokens)
    latent = {e for p in cache.pages.values() if p.kind == "latent" for e in p.content[: p.landed]}
    states = {(p.group, p.content[0]) for p in cache.pages.values() if p.kind == "checkpoint" and p.landed}
    for boundary in range(len(hashes), 0, -1):
        pages_end = [*range(cache.page_blocks, boundary, cache.page_blocks), boundary]
        has_latents = all(hashes[end - 1] in latent for end in pages_end)
        if has_latents and all((g, hashes[boundary - 1]) in states for g in range(cache.groups)):
            return boundary * cache.block_tokens
    return 0
