"""Which layer of the backbone is which: repeated blocks of KDA and MLA, closed by MLA."""

from k3core.guards import as_count


def layer_kinds(blocks: int, kda_per_block: int, mla_per_block: int, closing: int) -> tuple[str, ...]:
    """List `kda` or `mla` per layer, first layer first.

    Args:
        blocks: how often the pattern repeats (K3: 23).
        kda_per_block: KDA layers that open a block (3).
        mla_per_block: MLA layers that end it (1).
        closing: MLA layers after the last block (1).

    Raises:
        InputError: a count is not a whole number from 0.
    Source: report §2.1; the released configuration lists the MLA layers 4, 8, ..., 92 and 93.
    """
    block = ("kda",) * as_count("kda_per_block", kda_per_block) + ("mla",) * as_count("mla_per_block", mla_per_block)
    return block * as_count("blocks", blocks) + ("mla",) * as_count("closing", closing)


def layers_in_stack(blocks: int, kda_per_block: int, mla_per_block: int, closing: int) -> int:
    """Count all layers: blocks * (kda_per_block + mla_per_block) + closing.

    Source: as `layer_kinds`: 93 in K3.
    """
    return len(layer_kinds(blocks, kda_per_block, mla_per_block, closing))


def kda_layers_in_stack(blocks: int, kda_per_block: int) -> int:
    """Count the KDA layers: blocks * kda_per_block.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: as `layer_kinds`: 69 in K3.
    """
    return as_count("blocks", blocks) * as_count("kda_per_block", kda_per_block)


def mla_layers_in_stack(blocks: int, mla_per_block: int, closing: int) -> int:
    """Count the MLA layers: blocks * mla_per_block + closing.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: as `layer_kinds`: 24 in K3.
    """
    return as_count("blocks", blocks) * as_count("mla_per_block", mla_per_block) + as_count("closing", closing)
