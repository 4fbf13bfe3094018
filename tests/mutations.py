"""Deliberate faults in k3core, each with the check that must notice it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """One deliberate fault."""

    module: str
    """The module that is changed."""
    old: str
    """A text that stands in it exactly once."""
    new: str
    """What replaces it."""
    witness: str
    """The check that must notice."""


MUTATIONS = {
    # KDA
    "kda: drop the decay": Mutation("kda", "state = state * decay[..., None]", "state = state * 1.0", "hand_step"),
    "kda: decay values instead of keys": Mutation(
        "kda", "decay[..., None]  # (H, K, V)", "np.resize(decay, (len(decay), 1, state.shape[-1]))", "scan"
    ),
    "kda: decay after the comparison": Mutation(
        "kda",
        "        value = value - _read(state, key)  # (H, V)",
        "        value = value - _read(state / decay[..., None], key)",
        "hand_step",
    ),
    "kda: additive write for delta": Mutation("kda", 'if write == "delta":', 'if write == "never":', "hand_step"),
    "kda: delta write for additive": Mutation("kda", 'if write == "delta":', "if write:", "scan"),
    "kda: beta squared": Mutation("kda", "(beta[:, None] * value)", "(beta[:, None] ** 2 * value)", "scan"),
    "kda: read before the write": Mutation(
        "kda",
        "        memory = _written(memory, tokens.key[t], tokens.value[t], decays[t], tokens.beta[t], write=write)\n"
        "        output[t] = _read(memory, queries[t])",
        "        output[t] = _read(memory, queries[t])\n"
        "        memory = _written(memory, tokens.key[t], tokens.value[t], decays[t], tokens.beta[t], write=write)",
        "scan",
    ),
    "kda: shift values by one token": Mutation(
        "kda", "tokens.key[t], tokens.value[t],", "tokens.key[t], tokens.value[t - 1],", "scan"
    ),
    "kda: swap heads": Mutation(
        "kda", "return np.asarray(state + key[:, :, None]", "return np.asarray(state + key[::-1, :, None]", "scan"
    ),
    "kda: scale twice": Mutation(
        "kda", "return _read(state, query * as_scale(scale, K))", "return 2 * _read(state, query)", "hand_step"
    ),
    "kda: interleave grouped heads": Mutation(
        "kda",
        "np.repeat(query, H // Hk, axis=1), np.repeat(key, H // Hk, axis=1)",
        "np.tile(query, (1, H // Hk, 1)), np.tile(key, (1, H // Hk, 1))",
        "grouped",
    ),
    "kda: hand a state on to the next sequence": Mutation(
        "sequences",
        "None if starts is None else starts[n]",
        "(finals[-1] if finals else None) if starts is None else starts[n]",
        "packed",
    ),
    "kda: every sequence from the first state": Mutation("sequences", "else starts[n]", "else starts[0]", "packed"),
    "kda: transpose the state by reshaping": Mutation(
        "layouts",
        "np.ascontiguousarray(state.swapaxes(-1, -2))",
        "state.reshape(*state.shape[:-2], *state.shape[:-3:-1])",
        "layout",
    ),
    # gates
    "gates: bias after the rate": Mutation(
        "gates",
        "np.asarray(rate * shifted), rate",
        "np.asarray(rate * shifted - (rate - 1) * as_float('b', bias)), rate",
        "gates",
    ),
    "gates: lose the bias": Mutation(
        "gates", "return logit + bias, np.exp", "return logit + 0 * bias, np.exp", "gates"
    ),
    "gates: rate not exponentiated": Mutation("gates", "np.exp(log_rate)[:, None]", "(1 + log_rate)[:, None]", "gates"),
    "gates: softplus without its rate": Mutation(
        "gates", "return np.asarray(-rate * softplus(shifted))", "return np.asarray(-softplus(rate * shifted))", "gates"
    ),
    "gates: slope without 1 - s": Mutation("gates", "* s * (1.0 - s)", "* s", "gates"),
    "gates: overflow one token late": Mutation(
        "gates",
        "longest_safe_chunk(-rate, largest_finite_log) + 1",
        "longest_safe_chunk(-rate, largest_finite_log) + 2",
        "horizon",
    ),
    # chunk form
    "chunk: diagonal missing from A": Mutation("chunk", "index[:, None] >= index", "index[:, None] > index", "chunks"),
    "chunk: L from the queries": Mutation(
        "chunk", "cut.beta * products[:, :, 0]", "cut.beta * products[:, :, 1]", "chunks"
    ),
    "chunk: mask by multiplication": Mutation(
        "chunk",
        "np.where(index[:, None] >= index, products[:, :, 1], 0.0)",
        "(index[:, None] >= index) * products[:, :, 1]",
        "chunk_range",
    ),
    "chunk: anchor in mid-chunk": Mutation(
        "chunk",
        "cut.log_decay - cut.log_decay[:, :, :1]",
        "cut.log_decay - cut.log_decay[:, :, C - 1 :]",
        "chunk_causality",
    ),
    "chunk: strength left out of the undoing": Mutation("chunk", " * cut.beta.swapaxes(2, 3)", "", "chunks"),
    "chunk: state not decayed over the chunk": Mutation("chunk", "memory *= kept[n]", "memory *= 1.0", "chunks"),
    "chunk: state decayed by the first token": Mutation(
        "chunk", "decay[:, :, -1, :, None]", "decay[:, :, 0, :, None]", "chunks"
    ),
    "chunk: write without what the state returns": Mutation(
        "chunk", "cut.value[n] - seen[:, :C]", "cut.value[n]", "chunks"
    ),
    "chunk: sums exclude their own token": Mutation(
        "chunk",
        "summed[:, :, i] += summed[:, :, i - 1]",
        "summed[:, :, i] = summed[:, :, i - 1] + summed[:, :, i] * (i < C - 1)",
        "chunks",
    ),
    "chunk: sums in the caller's array": Mutation(
        "chunk", "cut(tokens.log_decay).copy()", "np.ascontiguousarray(cut(tokens.log_decay))", "chunk_causality"
    ),
    "chunk: tail of the neighbour": Mutation(
        "chunk",
        "full = np.zeros((N * C, *array.shape[1:]), array.dtype)",
        "full = np.ones((N * C, *array.shape[1:]), array.dtype) * 0.5",
        "chunks",
    ),
    "inverse: halves joined with the wrong sign": Mutation("triangular", "= -(second @", "= (second @", "inverse"),
    "inverse: series stops early": Mutation("triangular", "while reach < C:", "while reach < C // 2:", "inverse"),
    "rounding: truncate": Mutation(
        "rounding", "(bits + np.uint32(0x7FFF) + kept_bit)", "(bits + np.uint32(0) * kept_bit)", "roundings"
    ),
    "rounding: ties away from even": Mutation(
        "rounding", "np.uint32(0x7FFF) + kept_bit", "np.uint32(0x8000) + np.uint32(0) * kept_bit", "roundings"
    ),
    "rounding: NaN into the cut": Mutation(
        "rounding", "np.where(np.isnan(single), bits,", "np.where(np.isnan(single), 0 * bits,", "roundings"
    ),
    "kernel: difference of rounded keys": Mutation(
        "kernel_rounding", "to_bf16(part.value - to_bf16(part.key @ memory))", "to_bf16(part.value)", "kernel"
    ),
    # convolution
    "conv: taps reversed": Mutation(
        "shortconv",
        "output += weight[:, w] * seen[w : w + T]",
        "output += weight[:, W - 1 - w] * seen[w : w + T]",
        "convolution",
    ),
    "conv: history one too old": Mutation(
        "shortconv", "seen[len(seen) - (W - 1) :].copy()", "seen[len(seen) - W : len(seen) - 1].copy()", "convolution"
    ),
    "conv: rejected drafts kept": Mutation(
        "shortconv",
        "np.concatenate([history, x[:kept]])[kept:]",
        "np.concatenate([history, x])[len(x) :]",
        "convolution",
    ),
    "conv: no activation": Mutation("shortconv", "silu(convolved).reshape", "convolved.reshape", "convolution"),
    "norm: constant on the mean": Mutation(
        "primitives",
        "squares = np.sum(x * x, axis=-1, keepdims=True)",
        "squares = np.sum(x * x, axis=-1, keepdims=True) - eps + eps * x.shape[-1]",
        "norms",
    ),
    # context parallelism
    "kcp: product in the wrong order": Mutation(
        "kcp", "second.transition @ first.transition,", "first.transition @ second.transition,", "context_parallel"
    ),
    "kcp: states only added": Mutation(
        "kcp", "second.transition @ first.state + second.state", "first.state + second.state", "context_parallel"
    ),
    "kcp: fold without the transition": Mutation(
        "kcp", "state = segment.transition @ state + segment.state", "state = state + segment.state", "context_parallel"
    ),
    "kcp: decay on the wrong side": Mutation(
        "kcp", "np.exp(log_decay[t])[:, None, :]", "np.exp(log_decay[t])[:, :, None]", "context_vector"
    ),
    "kcp: a square payload": Mutation("kcp", "* K * (K + V) *", "* K * V *", "context_parallel"),
    "layer: convolution history forgotten": Mutation("delta_layer", "before.key_history)", "None)", "layer"),
    "layer: state forgotten": Mutation("delta_layer", "state=before.state", "state=None", "layer"),
    "layer: values normalised": Mutation("delta_layer", "H, normalise=False", "H, normalise=True", "layer"),
    # output gates, attention
    "gate: KDA norm after the gate": Mutation(
        "output_gates",
        "rmsnorm(output, weight, eps) * sigmoid(gate)",
        "rmsnorm(output * sigmoid(gate), weight, eps)",
        "output_gates",
    ),
    "gate: SiLU instead of sigmoid": Mutation(
        "output_gates",
        "np.asarray(output * sigmoid(gate))",
        "np.asarray(output * gate * sigmoid(gate))",
        "output_gates",
    ),
    "mla: extra key dimensions dropped": Mutation(
        "mla",
        'moved, cache.latent) + np.einsum("thr,sr->ths", query_extra, cache.extra)',
        "moved, cache.latent)",
        "attention",
    ),
    "mla: scale by the plain width only": Mutation("mla", "/ np.sqrt(width)", "/ np.sqrt(width - 2)", "attention"),
    "mla: one token too far": Mutation(
        "mla", "np.arange(S) <= np.arange(T)", "np.arange(S) <= 1 + np.arange(T)", "attention"
    ),
    # attention residuals
    "attnres: normalised values": Mutation(
        "attnres",
        "np.sum(weights[..., None] * stacked, axis=0))\n\n\ndef attnres_partial",
        "np.sum(weights[..., None] * rmsnorm(stacked), axis=0))\n\n\ndef attnres_partial",
        "mixtures",
    ),
    "attnres: raw keys": Mutation(
        "attnres", "softmax(rmsnorm(stacked, eps=eps) @ query, axis=0)", "softmax(stacked @ query, axis=0)", "mixtures"
    ),
    "attnres: merge without rescaling": Mutation(
        "attnres",
        "np.exp(first.largest - largest), np.exp(second.largest - largest)",
        "np.ones_like(largest), np.ones_like(largest)",
        "mixtures",
    ),
    "attnres: block counted in modules": Mutation(
        "attnres", "if l % block == 0 and", "if 2 * l % block == 0 and", "block_stack"
    ),
    "attnres: attention reads the new block": Mutation(
        "attnres", "if l else sources[0]", "if l % block else sources[0]", "block_stack"
    ),
    "attnres: an ordinary residual besides": Mutation(
        "attnres",
        "prefix = a if prefix is None else prefix + a",
        "prefix = h + a if prefix is None else prefix + a",
        "block_stack",
    ),
    # experts
    "moe: bias in the mixture weights": Mutation(
        "routing",
        "np.take_along_axis(scores, experts, axis=1)",
        "np.take_along_axis(scores + bias, experts, axis=1)",
        "experts",
    ),
    "moe: scores recovered from biased ones": Mutation(
        "routing",
        "np.take_along_axis(scores, experts, axis=1)",
        "np.take_along_axis((scores + bias) - bias, experts, axis=1)",
        "routing",
    ),
    "moe: weights not renormalised": Mutation(
        "routing", "picked / (np.sum(picked, axis=1, keepdims=True) + 1e-20)", "picked", "routing"
    ),
    "moe: ties to the highest index": Mutation(
        "routing",
        'np.argsort(-biased, axis=1, kind="stable")[:, :k]',
        'biased.shape[1] - 1 - np.argsort(-biased[:, ::-1], axis=1, kind="stable")[:, :k]',
        "routing",
    ),
    "moe: no norm before the way up": Mutation(
        "latent_moe", "rmsnorm(routed, weights.norm, RMS_EPS) @", "routed @", "experts"
    ),
    "moe: shared experts lost": Mutation(
        "latent_moe", "MoeResult(lifted + shared,", "MoeResult(lifted + 0 * shared,", "experts"
    ),
    "moe: scales without bytes": Mutation("moe_counts", "// 8 + (elements + 31) // 32", "// 8", "payload"),
    "moe: two matrices an expert": Mutation(
        "moe_counts", 'return 3 * as_count("latent"', 'return 2 * as_count("latent"', "payload"
    ),
    # activation
    "situ: gate uncapped": Mutation(
        "situ", "beta * np.tanh(gate / beta) * sigmoid(gate)", "gate * sigmoid(gate)", "activation"
    ),
    "situ: up uncapped": Mutation("situ", "np.asarray(beta * np.tanh(up / beta))", "np.asarray(up)", "activation"),
    "situ: gradient without the sigmoid's share": Mutation("situ", " + gate_beta * t * s * (1 - s)", "", "activation"),
    # balancing
    "qb: the minus of eq.14 dropped": Mutation(
        "quantile_balancing", "centred_bias(-_nth_largest(", "centred_bias(_nth_largest(", "balancing"
    ),
    "qb: the q-th margin": Mutation(
        "quantile_balancing",
        "math.floor(expert_share(m, n, k))))",
        "math.floor(expert_share(m, n, k)) - 1))",
        "balancing",
    ),
    "qb: cutoff at the k-th score": Mutation("quantile_balancing", "axis=1)[:, k])", "axis=1)[:, k - 1])", "balancing"),
    "qb: margins of biased scores": Mutation(
        "quantile_balancing", "margins = scores - token_cutoffs", "margins = scores + bias - token_cutoffs", "balancing"
    ),
    "qb: not centred": Mutation(
        "quantile_balancing", "np.asarray(bias - np.mean(bias))", "np.asarray(bias)", "balancing"
    ),
    "qb: no interpolation from the right edge": Mutation(
        "quantile_balancing",
        "np.clip(np.floor(",
        "(lambda x, low, high: np.maximum(x % (high + 1), low))(np.floor(",
        "balancing",
    ),
    "qb: the last rows only": Mutation(
        "quantile_balancing", "counts += np.bincount", "counts = np.bincount", "balancing"
    ),
    "qb: dual without its share": Mutation(
        "quantile_balancing", "expert_share(m, n, k) * np.sum(beta))", "k * np.sum(beta))", "balancing"
    ),
    # door
    "door: NaN accepted": Mutation("browser", "parse_constant=_no_constant, ", "", "json_door"),
    "door: names unsorted": Mutation("browser", "sort_keys=True", "sort_keys=False", "json_door"),
    "guards: ranges unchecked": Mutation(
        "guards", "if array.size and not (low", "if array.size < 0 and not (low", "json_door"
    ),
}
