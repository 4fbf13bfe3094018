"""A prefix cache for a hybrid model: MLA latents by page, KDA states as checkpoints, both in one pool.

A small deterministic model of the rules, without tensors. What a page holds is stood for by the hash of the tokens it
was computed from, so a state restored from the wrong place shows itself (`cache_invariants.check_cache`). A checkpoint
stands for the whole of a KDA layer group's memory: states and convolution history.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from k3core.guards import InputError, as_count

EMPTY = ""
"""What stands for the state before the first token."""


def link_hash(previous: str, block: Sequence[int]) -> str:
    """Hash one block of tokens onto the hash of everything before it.

    Source: report §5.4.1. Not claimed: the production hash.
    """
    return sha256(f"{previous}|{','.join(map(str, block))}".encode()).hexdigest()


def chain_hashes(tokens: Sequence[int], block_tokens: int) -> tuple[str, ...]:
    """Hash every whole block onto its predecessors, so that one hash certifies the prefix up to its end.

    Source: report §5.4.1. Not claimed: the production hash.
    """
    hashes: list[str] = []
    for end in range(block_tokens, len(tokens) + 1, block_tokens):
        hashes.append(link_hash(hashes[-1] if hashes else EMPTY, tokens[end - block_tokens : end]))
    return tuple(hashes)


def longest_boundary(match: int, groups: Sequence[Sequence[int]], block_tokens: int) -> int:
    """The longest hash boundary within `match` tokens at which every group has a checkpoint, or 0.

    Args:
        match: tokens whose latents are cached, without a gap from the start.
        groups: for each KDA group, the token counts at which it has a checkpoint.
        block_tokens: tokens of a hash block; every boundary is a multiple.

    Raises:
        InputError: no group, or a count that is not a whole number in range.
    Source: report §5.4.1 fig.12: 2800 matching tokens and checkpoints at 2560 give 2560. Exact.
    """
    as_count("match", match)
    as_count("block_tokens", block_tokens, low=1)
    if not groups:
        raise InputError("groups", "at least one", "none")
    shared = set.intersection(*(set(group) for group in groups))
    return max((b for b in shared if b <= match and b % block_tokens == 0), default=0)


@dataclass
class Page:
    """One physical block of the pool."""

    number: int
    """Its place in the pool."""
    kind: str
    """`latent`, `checkpoint` or `running`."""
    content: list[str]
    """Latent: the hash at each block's end, from the page's start. State: one hash, of the tokens it summarises."""
    group: int = 0
    """The KDA group of a state."""
    pins: int = 0
    """Requests that need the page to stay as it is."""
    used: int = 0
    """When it was last touched; the least recent goes first."""
    registered: int = 0
    """How many entries of `content` are offered to others."""
    landed: int = 0
    """How many of those may be matched: their copies are complete."""


@dataclass
class Request:
    """One running request."""

    blocks: tuple[tuple[int, ...], ...]
    """Its whole blocks of tokens."""
    hashes: tuple[str, ...]
    """The chained hash at the end of each."""
    hit: int
    """Blocks taken from the cache."""
    pinned: list[int]
    """Cached pages it reads: latents first, then one checkpoint per group."""
    own: list[int] = field(default_factory=list)
    """Its latent pages, from the page in which its own tokens begin."""
    running: list[int] = field(default_factory=list)
    """Its private state of each group."""
    done: int = 0
    """Blocks whose state and latents exist."""


class PrefixCache:
    """The pool, its two indexes, and the rules of matching, pinning, landing and eviction.

    Source: report §5.4.1. Not claimed: the production pool, its policy of eviction (here: least recent) or its sizes.
    """

    def __init__(self, *, capacity: int, groups: int, block_tokens: int, page_blocks: int) -> None:
        """Make an empty pool of `capacity` pages of `page_blocks` hash blocks, for `groups` KDA groups.

        Raises:
            InputError: a number is not whole or is below 1.
        """
        self.capacity = as_count("capacity", capacity, low=1)
        self.groups = as_count("groups", groups, low=1)
        self.block_tokens = as_count("block_tokens", block_tokens, low=1)
        self.page_blocks = as_count("page_blocks", page_blocks, low=1)
        self.free = list(range(capacity))
        self.pages: dict[int, Page] = {}
        self.latents: dict[str, list[int]] = {}
        self.checkpoints: dict[tuple[int, str], int] = {}
        self.landing: list[int] = []
        self.requests: dict[str, Request] = {}
        self._clock = 0

    def reach(self, hashes: Sequence[str]) -> int:
        """Stage one: blocks whose latents are cached, by whole pages, then by endpoints in the first missing page."""
        count, step = 0, self.page_blocks
        while count + step <= len(hashes) and hashes[count + step - 1] in self.latents:
            count += step
        inside = range(min(step - 1, len(hashes) - count), 0, -1)
        return count + next((ahead for ahead in inside if hashes[count + ahead - 1] in self.latents), 0)

    def lookup(self, tokens: Sequence[int]) -> int:
        """Both stages: tokens up to the longest boundary with latents and a checkpoint in every group."""
        return self._hit(chain_hashes(tokens, self.block_tokens)) * self.block_tokens

    def begin(self, name: str, tokens: Sequence[int]) -> int | None:
        """Start a request: pin its whole hit in all groups, then allocate, then copy what it will change.

        Returns:
            Tokens taken from the cache, or none where the pool has no room; then nothing is pinned.

        Raises:
            InputError: a request of this name runs.
        """
        if name in self.requests:
            raise InputError("name", "a request that is not running", repr(name))
        hashes = chain_hashes(tokens, self.block_tokens)
        size = self.block_tokens
        blocks = tuple(tuple(tokens[i * size : (i + 1) * size]) for i in range(len(hashes)))
        hit = self._hit(hashes)
        request = Request(blocks, hashes, hit, self._pages_of(hashes, hit), done=hit)
        # everything hit is pinned before anything is allocated, or the allocation could evict it
        for number in request.pinned:
            self._touch(self.pages[number]).pins += 1
        whole = hit // self.page_blocks
        fresh = self._allocate(-(-len(tokens) // (size * self.page_blocks)) - whole + self.groups)
        if fresh is None:
            self._unpin(request.pinned)
            return None
        request.running, request.own = fresh[: self.groups], fresh[self.groups :]
        self._restore(request, whole)
        self.requests[name] = request
        return hit * size

    def advance(self, name: str, blocks: int) -> None:
        """Compute the next whole blocks of a request: its states move on, its latents grow.

        Raises:
            InputError: the request does not run, or has fewer blocks left.
        """
        request = self._request(name)
        as_count("blocks", blocks, 0, len(request.blocks) - request.done)
        for i in range(request.done, request.done + blocks):
            for number in request.running:
                state = self.pages[number]
                state.content = [link_hash(state.content[0], request.blocks[i])]
            # a wrong state makes wrong latents too, so what is stored is what the state says
            page = self.pages[request.own[i // self.page_blocks - request.hit // self.page_blocks]]
            page.content.append(self.pages[request.running[0]].content[0])
        request.done += blocks

    def register(self, name: str) -> bool:
        """Offer a request's latents so far, and a copy of its states at its own present boundary.

        Nothing can be matched before `land`. The key is the boundary the state is really at.

        Returns:
            Whether every group has a checkpoint there; no where the pool has no room, for then none is made.

        Raises:
            InputError: the request does not run, or has computed no block.
        """
        request = self._request(name)
        if request.done == 0:
            raise InputError("name", "a request with a whole block computed", repr(name))
        for number in request.own:
            page = self.pages[number]
            if page.registered < len(page.content):
                page.registered = len(page.content)
                self.landing.append(number)
        key = request.hashes[request.done - 1]
        if (0, key) in self.checkpoints:
            return True
        fresh = self._allocate(self.groups)
        if fresh is None:
            return False
        for group, number in enumerate(fresh):
            content = list(self.pages[request.running[group]].content)
            self._place(Page(number, "checkpoint", content, group, registered=1))
            self.landing.append(number)
        return True

    def land(self) -> None:
        """End the step: copies are complete, and what was registered in it may be matched."""
        for number in self.landing:
            page = self.pages[number]
            if page.kind == "latent":
                for entry in page.content[page.landed : page.registered]:
                    self.latents.setdefault(entry, []).append(number)
            elif (page.group, page.content[0]) in self.checkpoints:
                # two requests reached this boundary in one step; the first copy serves
                self._free(number)
                continue
            else:
                self.checkpoints[page.group, page.content[0]] = number
            page.landed = page.registered
        self.landing.clear()

    def end(self, name: str) -> None:
        """End a request: unpin what it read, drop its private states, keep the latents it offered.

        Raises:
            InputError: the request does not run.
        """
        request = self._request(name)
        del self.requests[name]
        self._unpin(request.pinned)
        self._unpin(request.own)
        for number in request.running:
            self._free(number)
        for number in request.own:
            page = self.pages[number]
            del page.content[page.registered :]
            if not page.content:
                self._free(number)

    def evict_checkpoint(self, group: int, key: str) -> None:
        """Evict one group's checkpoint, and with it those of all other groups at the same boundary.

        Raises:
            InputError: there is no such checkpoint, or a request needs it.
        """
        number = self.checkpoints.get((group, key))
        if number is None or self.pages[number].pins:
            raise InputError("key", "an unpinned checkpoint", f"{key[:8]} of group {group}")
        for each in range(self.groups):
            self._free(self.checkpoints.pop((each, key)))

    def _hit(self, hashes: Sequence[str]) -> int:
        """Both stages, in blocks."""
        reach = range(self.reach(hashes), 0, -1)
        every = range(self.groups)
        return next((b for b in reach if all((g, hashes[b - 1]) in self.checkpoints for g in every)), 0)

    def _pages_of(self, hashes: Sequence[str], hit: int) -> list[int]:
        """List the pages a hit reads: whole pages, the page it ends in, one checkpoint per group."""
        ends = [*range(self.page_blocks, hit + 1, self.page_blocks)]
        if hit % self.page_blocks:
            ends.append(hit)
        latents = [self.latents[hashes[end - 1]][0] for end in ends]
        return latents + [self.checkpoints[g, hashes[hit - 1]] for g in range(self.groups) if hit]

    def _restore(self, request: Request, whole: int) -> None:
        """Fill a request's own pages by copying from what it hit; checkpoints are never used in place."""
        states = request.pinned[len(request.pinned) - self.groups :] if request.hit else []
        for group, number in enumerate(request.running):
            content = list(self.pages[states[group]].content) if states else [EMPTY]
            self._place(Page(number, "running", content, group))
        for number in request.own:
            self._place(Page(number, "latent", [], pins=1))
        inside = request.hit - whole * self.page_blocks
        if inside:
            self.pages[request.own[0]].content = self.pages[request.pinned[whole]].content[:inside]

    def _allocate(self, count: int) -> list[int] | None:
        """Take pages, evicting the least recent that nobody needs; nothing is evicted where that is not enough."""
        idle = [p for p in self.pages.values() if p.kind != "running" and not p.pins and p.number not in self.landing]
        if len(self.free) + len(idle) < count:
            return None
        idle.sort(key=lambda page: (page.used, page.number))
        for page in idle:
            if len(self.free) >= count:
                break
            if page.number in self.pages:
                self._evict(page)
        self.free.sort()
        taken, self.free = self.free[:count], self.free[count:]
        return taken

    def _evict(self, page: Page) -> None:
        """Remove an idle page from its index and free it; a checkpoint goes with its siblings."""
        if page.kind == "checkpoint":
            self.evict_checkpoint(page.group, page.content[0])
            return
        for entry in page.content[: page.landed]:
            self.latents[entry].remove(page.number)
            if not self.latents[entry]:
                del self.latents[entry]
        self._free(page.number)

    def _place(self, page: Page) -> None:
        """Put a page into the pool."""
        self.pages[page.number] = self._touch(page)

    def _touch(self, page: Page) -> Page:
        """Note that a page was used now."""
        self._clock += 1
        page.used = self._clock
        return page

    def _unpin(self, numbers: Sequence[int]) -> None:
        """Give up the claim on pages."""
        for number in numbers:
            self.pages[number].pins -= 1

    def _free(self, number: int) -> None:
        """Return a page to the pool."""
        del self.pages[number]
        self.free.append(number)

    def _request(self, name: str) -> Request:
        """Look a running request up, or refuse."""
        if name not in self.requests:
            raise InputError("name", "a request that is running", repr(name))
        return self.requests[name]
