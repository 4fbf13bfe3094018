"""One good set of inputs per lab."""

from typing import Any

from numeric_vectors import inputs

INPUTS: dict[str, dict[str, Any]] = {
    "A": {"beta": 1.0, "repeats": 1, "key": [3, 4], "value": [2.0], "distractor": [1.0], "overlap": 0.5},
    "B": {"lower_bound": -5.0, "chunk": 16, "cumulative_decay": -40.0},
    "C": {"layers": 93, "block": 12},
    "D": {"full_width": 7168, "latent_width": 3584, "top_k": 16, "tokens": 1, "number_format": "bf16"},
    "E": {"x": inputs("9.1")["x"], "gate_beta": 4, "up_beta": 25},
    "F": {"scores": inputs("10.1")["scores"], "top_k": 1, "bins": 1000, "sign_step": 0.001, "steps": 2},
    "G": {
        "domain": "general",
        "thinking": 900,
        "response": 300,
        "tool_arguments": 0,
        "base_tokens": 500.0,
        "tau": 2.0,
        "durations": [[1, 2, 3], [2, 4, 9]],
        "fraction": 0.5,
        "teacher": [0.5, 0.9, 0.0],
        "student": [0.25, 1e-9, 0.5],
        "bound": 5.0,
    },
    "H": {
        "prompt_tokens": 3000,
        "matched_tokens": 2800,
        "hash_block": 512,
        "page_blocks": 12,
        "checkpoints": [[1024, 2560], [2560]],
    },
    "I": {
        "tokens": 2**20,
        "kda_layers": 69,
        "mla_layers": 24,
        "tensor_parallel": 8,
        "state_format": "fp32",
        "cache_format": "fp8",
    },
    "J": {
        "keys": [[1, 0], [3, 4], [0, 1], [4, 3], [1, 0], [0, 1]],
        "values": [[1.0], [2.0], [-1.0], [3.0], [2.0], [0.5]],
        "log_decay": -0.5,
        "beta": 0.5,
        "ranks": 3,
    },
    "K": {"tokens": [30, 10, 8, 0, 0, 2, 6, 8], "ranks": 4},
    "L": {"values": [7, 0.25, 0.75, 1.25, 2.5, 5, -0.0, 70000]},
    "M": {
        "messages": [
            {"role": "user", "content": "Rain in \u4e0a\u6d77?"},
            {
                "role": "assistant",
                "think": "",
                "content": "I will look.",
                "calls": [{"tool": "weather", "arguments": {"city": "\u4e0a\u6d77", "days": 2, "units": ["mm"]}}],
            },
            {"role": "tool", "tool": "weather", "index": 1, "content": "none"},
        ],
        "tools": [{"name": "weather"}],
        "effort": "low",
        "tool_choice": "",
        "mode": "thinking",
        "ending": "prefix",
    },
}
