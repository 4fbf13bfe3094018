"""KDA step, scan and replay against k3core's recurrence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from gpu import arithmetic as a
from gpu.launching import InOut, Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge
from gpu.worlds import ADVERSARIAL, World, cut, with_state, world

from k3core.kda import KdaResult, kda_recurrent
from k3core.rounding import to_bf16
from k3core.speculation import record_draft, replay_draft

ULPS = 4096
"""On a device: every token's decay may be off by two units, and a state carries what earlier tokens left."""
STATES = "f4[:,:,:,::1]"
ROWS = "f4[:,:,::1]"


def mirrored_token(state: Array, token: list[Array], scale: np.float32, groups: int) -> tuple[Array, Array]:
    """Round where the step rounds: the new state (H, K, V), before it is stored, and the output (H, V)."""
    query, key, value, log_decay, beta = token
    faded = a.exp(log_decay)[..., None] * state  # (H, K, V)
    written = beta[:, None] * (value - summed(key[..., None] * faded, groups))  # (H, V)
    after = faded + key[..., None] * written[:, None]
    return after, summed((query * scale)[..., None] * after, groups)


def summed(terms: Array, groups: int) -> Array:
    """Add (H, K, V) over K as the threads do: every group its own rows in turn, then group after group."""
    total = np.zeros_like(terms[:, 0])
    for group in range(groups):
        part = np.zeros_like(total)
        for k in range(group, terms.shape[1], groups):
            part = part + terms[:, k]
        total = total + part
    # one group is one running sum: adding it to zero changes no bit
    return total


def mirrored_scan(whole: World) -> KdaResult:
    """Round where the scan rounds."""
    out, states = np.empty_like(whole.tokens.value), []
    for tokens, start in whole.sequences:
        state = start
        for t in range(tokens.start, tokens.stop):
            state, out[t] = mirrored_token(state, [array[t] for array in whole.tokens], whole.scale, 1)
        states.append(state)
    return KdaResult(out, np.stack(states))


def recurrent(whole: World, dtype: str) -> KdaResult:
    """k3core's scan of every sequence; in float64 the truth, in float32 plain arithmetic."""
    runs = [
        kda_recurrent(*cut(whole, tokens), state=state, scale=float(whole.scale), dtype=dtype)
        for tokens, state in whole.sequences
    ]
    return KdaResult(np.concatenate([run.output for run in runs]), np.stack([run.state for run in runs]))


def scan_case(kind: str, *lengths: int, columns: int = 4, **shape: int) -> Callable[[Any], float]:
    """A scan over sequences of the given lengths."""

    def run(kernels: Any) -> float:
        whole = world(kind, *lengths, **shape)
        N, H, _, V = whole.state.shape
        arguments = (*whole.tokens, whole.scale, whole.bounds, InOut(whole.state), Out(whole.tokens.value.shape))
        state, out = launch(kernels.kda_scan, (N * H, -(-V // columns)), columns, *arguments)
        mirrored, truth, plain = mirrored_scan(whole), recurrent(whole, "float64"), recurrent(whole, "float32")
        return max(
            judge(out, mirrored.output, truth.output, plain.output, ulps=ULPS),
            judge(state, mirrored.state, truth.state, plain.state, ulps=ULPS),
        )

    return run


def step_case(kind: str, N: int, *, bf16: bool, groups: int = 2, **shape: int) -> Callable[[Any], float]:
    """One token for each of N sequences."""

    def run(kernels: Any) -> float:
        whole = world(kind, *[1] * N, **shape)
        if bf16:
            whole = with_state(whole, np.asarray(to_bf16(whole.state), np.float32))
        H, V = whole.state.shape[1], whole.state.shape[3]
        start = InOut(bits_of_bf16(whole.state) if bf16 else whole.state)
        kernel = kernels.kda_step_bf16 if bf16 else kernels.kda_step_fp32
        arguments = (*whole.tokens, whole.scale, start, Out((N, H, V)))
        state, out = launch(kernel, (N * H, -(-V // 4)), (4, groups), *arguments)
        found = a.of_bits(np.int64(state) << 16) if bf16 else state
        tokens = [[array[n] for array in whole.tokens] for n in range(N)]
        mirrored = [mirrored_token(whole.state[n], tokens[n], whole.scale, groups) for n in range(N)]
        after = np.stack([state for state, _ in mirrored])
        truth, plain = recurrent(whole, "float64"), recurrent(whole, "float32")
        stored = (lambda x: np.asarray(to_bf16(x), np.float32)) if bf16 else (lambda x: x)
        return max(
            judge(out, np.stack([read for _, read in mirrored]), truth.output, plain.output, ulps=ULPS),
            judge(found, stored(after), truth.state, stored(plain.state), ulps=2.0**16 if bf16 else ULPS),
        )

    return run


def bits_of_bf16(x: Array) -> Array:
    """The upper half of float32 numbers whose lower half is zero."""
    return np.asarray(a.bits_of(x) >> 16, np.uint16)


def replay_case(kind: str, T: int, accepted: list[int], **shape: int) -> Callable[[Any], float]:
    """Drafts of T tokens of which some stand."""

    def run(kernels: Any) -> float:
        N = len(accepted)
        whole = world(kind, *[T] * N, **shape)
        _, H, K, V = whole.state.shape
        key, value, log_decay, beta = (array.reshape(N, T, *array.shape[1:]) for array in whole.tokens[1:])
        single = np.zeros((N, T, H, V), np.float32)
        truth, mirrored, plain = [], [], []
        for n, count in enumerate(accepted):
            draft = record_draft(whole.state[n], key[n], value[n], log_decay[n], beta[n])
            # the record is float32 before anything is replayed; what that costs is not the kernel's
            single[n] = draft.written
            truth.append(replay_draft(replace(draft, written=single[n].astype(np.float64)), count))
            mirrored.append(mirrored_replay(whole.state[n], key[n], single[n], log_decay[n, :count]))
            plain.append(plain_replay(whole.state[n], key[n], single[n], log_decay[n, :count]))
        arguments = (key, single, log_decay, np.asarray(accepted, np.int32), InOut(whole.state))
        (state,) = launch(kernels.kda_replay, (N * H, -(-K * V // 8)), 8, *arguments)
        return judge(state, np.stack(mirrored), np.stack(truth), np.stack(plain), ulps=ULPS)

    return run


def mirrored_replay(state: Array, key: Array, written: Array, log_decay: Array) -> Array:
    """Round where the replay rounds."""
    after, later = np.zeros_like(state), np.zeros_like(key[0])
    for t in reversed(range(len(log_decay))):
        after = after + (a.exp(later) * key[t])[..., None] * written[t][:, None]
        later = later + log_decay[t]
    return after + a.exp(later)[..., None] * state


def plain_replay(state: Array, key: Array, written: Array, log_decay: Array) -> Array:
    """The formula of `k3core.speculation.replay_draft` in float32."""
    if not len(log_decay):
        return state
    total = np.cumsum(log_decay, axis=0)
    faded = key[: len(total)] * np.exp(total[-1] - total)
    return np.exp(total[-1])[..., None] * state + np.einsum("thk,thv->hkv", faded, written[: len(total)])


STEP_TYPES = f"{ROWS} {ROWS} {ROWS} {ROWS} f4[:,::1] f4"
STEP = Mechanism(
    name="kda-step",
    module="gpu.kernels.kda",
    cases={
        **{f"fp32-{kind}": step_case(kind, 2, bf16=False) for kind in ("ordinary", *ADVERSARIAL)},
        **{f"bf16-{kind}": step_case(kind, 2, bf16=True) for kind in ("ordinary", *ADVERSARIAL)},
        **{f"fp32-k{K}": step_case("ordinary", 2, bf16=False, H=1, K=K, V=K + 1) for K in (1, 15, 16, 60, 63, 80)},
        "fp32-odd": step_case("ordinary", 3, bf16=False, groups=3, H=1, K=17, V=9),
        "bf16-odd": step_case("ordinary", 3, bf16=True, groups=4, H=1, K=15, V=6),
        "fp32-widest": step_case("ordinary", 1, bf16=False, groups=4, H=1, K=128, V=6),
    },
    kernels=[
        Compiled("kda_step_fp32", f"{STEP_TYPES} {STATES} {ROWS}", Limits(56, 2560)),
        Compiled("kda_step_bf16", f"{STEP_TYPES} u2[:,:,:,::1] {ROWS}", Limits(56, 2560)),
    ],
    mutations=[
        Mutation("heads swapped", "keys[k] = key[n, h, k]", "keys[k] = key[n, 1 - h, k]", "fp32-ordinary"),
        Mutation(
            "no barrier after the keys",
            "exp(log_decay[n, h, k])\n        cuda.syncthreads()",
            "exp(log_decay[n, h, k])",
            "fp32-ordinary",
        ),
        Mutation("no barrier before the groups meet", "recall\n        cuda.syncthreads()", "recall", "fp32-ordinary"),
        Mutation("no barrier before the reads meet", "= read\n        cuda.syncthreads()", "= read", "bf16-ordinary"),
        Mutation(
            "BF16 cut instead of rounded",
            "_step(from_bf16, to_bf16)",
            "_step(from_bf16, lambda x: np.uint16(x.view(np.uint32) >> 16))",
            "bf16-ordinary",
        ),
        Mutation(
            "output before the write",
            "read += mul(queries[k], element)",
            "read += mul(queries[k], mul(decays[k], load(state[n, h, k, v])))",
            "fp32-ordinary",
        ),
    ],
    large={
        "fp32": step_case("ordinary", 2, bf16=False, groups=4, H=2, K=128, V=128),
        "bf16": step_case("ordinary", 2, bf16=True, groups=4, H=2, K=128, V=128),
    },
)
SCAN = Mechanism(
    name="kda-scan",
    module="gpu.kernels.kda",
    cases={
        **{f"t{T}": scan_case("ordinary", T) for T in (1, 15, 16, 17, 60, 63, 80)},
        **{kind: scan_case(kind, 17) for kind in ADVERSARIAL},
        "packed": scan_case("ordinary", 0, 3, 0, 1, 13, 0),
        "nothing": scan_case("ordinary", 0),
        "wide": scan_case("ordinary", 3, H=1, K=128, V=33, columns=32),
    },
    kernels=[
        Compiled("kda_scan", f"{STEP_TYPES} i4[::1] {STATES} {ROWS}", Limits(88, 19456)),
    ],
    mutations=[
        Mutation("decay dropped", "element = mul(decays[place, k], tile[k, x])", "element = tile[k, x]", "t17"),
        Mutation("token shifted", "keys[place, k] = key[t, h, k]", "keys[place, k] = key[t - 1, h, k]", "t17"),
        Mutation(
            "heads swapped",
            "written = mul(beta[t, h], value[t, h, v]",
            "written = mul(beta[t, h], value[t, 1 - h, v]",
            "t17",
        ),
        Mutation("state transposed", "tile[k, x] = state[n, h, k, v]", "tile[k, x] = state[n, h, v, k]", "t17"),
        Mutation("no barrier", "exp(log_decay[t, h, k])\n        cuda.syncthreads()", "exp(log_decay[t, h, k])", "t17"),
        Mutation("one row for all tokens", "place = t % 2", "place = 0", "t17"),
        Mutation(
            "state of the neighbour", "range(bounds[n], bounds[n + 1])", "range(bounds[0], bounds[n + 1])", "packed"
        ),
    ],
    large={"packed": scan_case("ordinary", 1, 60, 19, columns=32, H=2, K=128, V=128)},
)
REPLAY = Mechanism(
    name="kda-replay",
    module="gpu.kernels.kda",
    cases={
        "ordinary": replay_case("ordinary", 7, [0, 1, 4, 7]),
        **{f"t{T}": replay_case("ordinary", T, [T, T // 2]) for T in (1, 15, 16, 17, 60, 63, 80)},
        **{kind: replay_case(kind, 7, [7, 3]) for kind in ADVERSARIAL},
        "odd": replay_case("ordinary", 3, [2], H=1, K=17, V=15),
        "t1000": replay_case("faithful", 1000, [1000], H=1, K=3, V=2),
    },
    kernels=[
        Compiled("kda_replay", f"f4[:,:,:,::1] f4[:,:,:,::1] f4[:,:,:,::1] i4[::1] {STATES}", Limits(80)),
    ],
    mutations=[
        Mutation("later tokens decay nothing", "            later += log_decay[n, t, h, k]\n", "", "ordinary"),
        Mutation("one token too many", "t = accepted[n] - 1 - back", "t = accepted[n] - back", "ordinary"),
        Mutation("heads swapped", "key[n, t, h, k]), written", "key[n, t, 1 - h, k]), written", "ordinary"),
        Mutation("the old state kept whole", "mul(exp(later), state[n, h, k, v])", "state[n, h, k, v]", "ordinary"),
    ],
)
