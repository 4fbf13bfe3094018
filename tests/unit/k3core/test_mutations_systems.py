"""Deliberate faults in the systems modules, each of which a named witness must see."""

from importlib import import_module

import pytest
import system_witnesses as see
from mutants import Mutation, broken

from k3core.guards import InputError

SEEN = (AssertionError, InputError, pytest.fail.Exception)
"""How a witness says no."""

FAULTS: list[tuple[str, str, str, str, see.Witness]] = [
    (
        "conv-on-q-and-k-only",
        "parameters",
        "+ 3 * inner * c.conv_kernel",
        "+ 2 * inner * c.conv_kernel",
        see.total_is_checked,
    ),
    ("one-mix-a-layer", "parameters", "mixes = 2 * c.layers + 1", "mixes = c.layers + 1", see.total_is_checked),
    (
        "head-not-active",
        "parameters",
        "experts_per_token, embeddings=1",
        "experts_per_token, embeddings=0",
        see.active_is_checked,
    ),
    (
        "router-for-active-only",
        "parameters",
        "c.hidden * c.experts + c.experts",
        "c.hidden * experts + experts",
        see.active_is_checked,
    ),
    ("norm-forgotten", "tensors", 'yield Tensor("mla.kv_norm"', 'Tensor("mla.kv_norm"', see.tensors_add_up),
    (
        "router-sharded",
        "tensors",
        'c.hidden), n, "bf16", "none")\n    yield Tensor("moe.balance',
        'c.hidden), n, "bf16", "columns")\n    yield Tensor("moe.balance',
        see.tensors_add_up,
    ),
    (
        "four-taps",
        "accounting",
        "layers * (conv_kernel - 1) * channels",
        "layers * conv_kernel * channels",
        see.history_is_three_taps,
    ),
    (
        "latent-sharded",
        "accounting",
        "* per_token + fixed",
        "* per_token // tensor_parallel + fixed",
        see.latent_is_not_sharded,
    ),
    ("smallest-experts-first", "moonep", "sorted((-count, e)", "sorted((count, e)", see.worked_plan),
    ("giver-keeps-its-load", "moonep", "loads[giver] -= target - loads[taker]", "loads[giver] -= 0", see.worked_plan),
    ("loads-not-recounted", "moonep", "if load != target:", "if load < 0:", see.unbalanced_plan_is_seen),
    ("smallest-foreign-first", "moonep", "if e not in own), reverse=True)", "if e not in own))", see.bound_is_tight),
    (
        "round-half-up",
        "mx",
        "np.rint(np.ldexp(magnitude, f.mantissa_bits - exponent))",
        "np.floor(np.ldexp(magnitude, f.mantissa_bits - exponent) + 0.5)",
        see.ties_go_to_even,
    ),
    (
        "zero-loses-its-sign",
        "mx",
        "np.signbit(x), code + f.sign_code, code), dtype=np.uint8)\n\n\ndef encode_elements_by",
        "x < 0, code + f.sign_code, code), dtype=np.uint8)\n\n\ndef encode_elements_by",
        see.ties_go_to_even,
    ),
    (
        "even-rule-late",
        "mx",
        "2.0 ** -(f.mantissa_bits + 2)",
        "2.0 ** -(f.mantissa_bits + 3)",
        see.rules_differ_as_checked,
    ),
    (
        "ceil-rule-at-equality",
        "mx",
        "mantissa > np.frexp(f.largest)[0]",
        "mantissa >= np.frexp(f.largest)[0]",
        see.rules_differ_as_checked,
    ),
    (
        "subnormals-flushed",
        "mx",
        "np.maximum(np.frexp(magnitude)[1] - 1, f.emin)",
        "np.frexp(magnitude)[1] - 1",
        see.e4m3_is_checked,
    ),
    ("no-saturation", "mx", "np.minimum(np.abs(x), f.largest)", "np.abs(x)", see.e4m3_is_checked),
    ("high-nibble-first", "mx", "[packed & 15, packed >> 4]", "[packed >> 4, packed & 15]", see.low_nibble_is_even),
    (
        "full-matrix",
        "muon",
        "blocks = m.reshape(heads, rows // heads, cols)",
        "blocks = m.reshape(1, rows, cols)",
        see.heads_stand_alone,
    ),
    ("wrong-coefficient", "muon", "-4.7750", "-4.7700", see.heads_stand_alone),
    (
        "scale-of-all-rows",
        "muon",
        "update_scale(rows=rows // heads, cols=cols",
        "update_scale(rows=rows * heads, cols=cols",
        see.scale_is_a_heads,
    ),
    ("budget-inclusive", "post_training", "spent > tau * base", "spent >= tau * base", see.budget_is_strict),
    (
        "ratio-upside-down",
        "post_training",
        "np.clip(teacher - student",
        "np.clip(student - teacher",
        see.reward_is_clipped,
    ),
    (
        "one-short",
        "post_training",
        "min(threshold, len(remaining)) - 1]",
        "min(threshold, len(remaining)) - 2]",
        see.rollout_is_logged,
    ),
    ("centring-forgotten", "speculation", "short - q[short].sum()", "short - 0.0", see.draft_numbers_are_checked),
    (
        "bonus-token-forgotten",
        "speculation",
        'as_count("drafted", drafted) + 1)))',
        'as_count("drafted", drafted))))',
        see.draft_numbers_are_checked,
    ),
    (
        "reads-before-decay",
        "speculation",
        "faded = np.exp(g[t])[..., None] * memory",
        "faded = memory",
        see.replay_is_the_scan,
    ),
    (
        "history-not-trimmed",
        "speculation",
        "rows])[accepted : accepted + taps]",
        "rows])[-taps:]",
        see.replay_is_the_scan,
    ),
    (
        "checkpoint-used-in-place",
        "prefix_cache",
        "            # a wrong state makes",
        (
            "            for n in request.pinned[-1:]:\n"
            "                self.pages[n].content = state.content\n"
            "            # a wrong state makes"
        ),
        see.copies_are_private,
    ),
    ("partial-page-not-copied", "prefix_cache", "        if inside:", "        if inside < 0:", see.copies_are_private),
    (
        "sibling-kept",
        "prefix_cache",
        "for each in range(self.groups):\n            self._free",
        "for each in [group]:\n            self._free",
        see.siblings_go_together,
    ),
    (
        "matched-at-once",
        "prefix_cache",
        "        key = request.hashes[request.done - 1]",
        "        self.land()\n        key = request.hashes[request.done - 1]",
        see.landing_is_awaited,
    ),
    ("not-pinned", "prefix_cache", ".pins += 1", ".pins += 0", see.pins_hold_under_pressure),
    (
        "same-cluster-twice",
        "fleet",
        "while self._points[step][1] == primary:\n            step",
        "for _ in range(1):\n            step",
        see.ring_is_checked,
    ),
    ("fewer-hash-bytes", "fleet", "digest()[:8]", "digest()[8:16]", see.ring_is_checked),
    (
        "no-refund",
        "fleet",
        "return self._running.pop(request)[1]",
        "return self._running[request][1]",
        see.classes_do_not_borrow,
    ),
    ("borrowing", "fleet", "if running == kind)", ") - 9", see.classes_do_not_borrow),
    (
        "quotation-mark-first",
        "xtml",
        'value.replace("&", "&amp;").replace(\'"\', "&quot;")',
        'value.replace(\'"\', "&quot;").replace("&", "&amp;")',
        see.escaping_is_reversible,
    ),
    ("any-end-closes", "xtml", "if text != self._stack[-1].tag:", "if not text:", see.ends_must_match),
    (
        "results-in-any-order",
        "xtml_messages",
        "(message.tool, message.index) != waiting[0]",
        "(message.tool, message.index) not in waiting",
        see.results_follow_calls,
    ),
    ("think-in-any-mode", "xtml_messages", ' and mode == "thinking")', ")", see.results_follow_calls),
    ("effort-anywhere", "xtml_messages", "if own < zone or", "if", see.results_follow_calls),
    ("limit-forgotten", "vision", "scale = min(1.0, fit,", "scale = min(1.0,", see.images_are_checked),
    ("padded-to-patches", "vision", "unit = PATCH * MERGE", "unit = PATCH", see.images_are_checked),
]


PAIRS = sorted({f"{row[1]} {row[4].__name__}" for row in FAULTS})


@pytest.mark.parametrize(("module", "witness"), [pytest.param(*pair.split(), id=pair) for pair in PAIRS])
def test_the_witness_is_content_with_the_real_module(module: str, witness: str) -> None:
    """A witness that complained about sound code would prove nothing."""
    getattr(see, witness)(import_module(f"k3core.{module}"))


@pytest.mark.parametrize(
    ("module", "old", "new", "witness"), [pytest.param(*row[1:], id=f"{row[1]}-{row[0]}") for row in FAULTS]
)
def test_the_witness_sees_the_fault(module: str, old: str, new: str, witness: see.Witness) -> None:
    """Each fault makes its witness raise, by a comparison or a refusal and not by a crash."""
    with broken(Mutation(f"k3core.{module}", old, new)) as mutant, pytest.raises(SEEN):
        witness(mutant)


def test_a_fault_that_is_not_made_is_noticed() -> None:
    """A piece of source that no longer stands there fails loudly instead of testing nothing."""
    gone = Mutation("k3core.vision", "no such line", "")
    with pytest.raises(AssertionError, match="stands there 0 times"), broken(gone):
        pass
