"""The page about the kernels, written from the files of evidence: what was run at each level, and the mutations."""

from pathlib import Path
from typing import Any

LANGUAGES = ("en", "zh")
TEXTS = {
    "en": {
        "title": "Kernels against the numerics",
        "lead": "For the mechanisms where a kernel matters, the project has CUDA kernels of its own, and the numerics "
        "are their witness. `make evidence` runs the first two levels and writes this page. Nothing here was measured "
        "on a GPU; what a device has run stands, with its name, on the page of engines.",
        "levels": "## Three levels",
        "simulated": "*Simulated*: each kernel runs on the processor, thread by thread. Its result must equal, bit for "
        "bit, a second program that rounds where the kernel rounds, and may be at most twice as far from float64 as "
        "plain arithmetic of the same precision. Outputs, shared memory and a band on each side of every array hold "
        "NaN beforehand. The threads of a block run in one order and then in the reverse; both results must agree.",
        "compiled": "*Compiled*: each kernel becomes PTX and machine code for `{architectures}`, without a GPU. What "
        "it needs is held to a stated limit, and no register may spill.",
        "hardware": "*Hardware*: `make gpu` runs the same cases on a CUDA device and writes a file of evidence.",
        "specimen": "The FP16 series is a specimen: it inverts a chunk's triangle by repeated squaring in FP16, and "
        "must fail where one key repeats. Its large error is what it is there to show.",
        "head": "| Mechanism | Cases | Worst error | In case | Kernels | Registers | Shared memory | Spills |",
        "mutations": "## Kernels broken on purpose",
        "mutations_lead": "Each line was made wrong in a copy of a kernel, and the named case had to turn red: "
        "`{noticed}` of `{all}` were noticed. Every run of the tests breaks them again.",
        "mutations_head": "| Fault | Case | Noticed |",
        "yes": "yes",
        "no": "**no**",
    },
    "zh": {
        "title": "内核与数值包对照",
        "lead": "凡是内核写法会影响结果的机制，本项目都写了自己的 CUDA 内核，并以数值包为准绳。"
        "`make evidence` 运行前两个层次并写出本页。这里没有任何数字是在 GPU 上测得的；"
        "设备上跑过的结果连同设备名称列在引擎一页。",
        "levels": "## 三个层次",
        "simulated": "*模拟*：在处理器上逐个线程运行内核。另有一段程序在内核舍入之处同样舍入，两者的结果必须逐位相同；"
        "与 float64 的差距不得超过同精度朴素算法的两倍。运行之前，输出、共享内存和每个数组两侧的隔离带都填满 NaN。"
        "同一线程块的线程先顺序、后逆序各运行一遍，两次结果必须一致。",
        "compiled": "*编译*：不用 GPU，把每个内核编成 `{architectures}` 的 PTX 和机器码。"
        "所需资源不得超过事先写明的上限，寄存器不得溢出。",
        "hardware": "*硬件*：`make gpu` 在 CUDA 设备上运行同样的用例，并写出证据文件。",
        "specimen": "FP16 级数是反面标本：它在 FP16 下反复平方，以此求块内三角矩阵的逆，同一个键重复出现时必须失败。"
        "误差大，正是它要展示的。各项名称与测试代码一致，不译。",
        "head": "| 机制 | 用例 | 最大误差 | 所在用例 | 内核 | 寄存器 | 共享内存 | 溢出 |",
        "mutations": "## 故意弄坏的内核",
        "mutations_lead": "每一行都曾在内核的副本里单独改错，指定的用例必须变红："
        "`{all}` 处中察觉了 `{noticed}` 处。每次运行测试，这些错都会再犯一遍。",
        "mutations_head": "| 错处 | 用例 | 察觉 |",
        "yes": "是",
        "no": "**否**",
    },
}


def page_file(root: Path, language: str) -> Path:
    """Where the page of a language stands."""
    return root / "content" / f"kernel-tests.{language}.md"


def kernels_page(language: str, simulated: dict[str, Any], compiled: dict[str, Any]) -> str:
    """The page in one language, front matter and two tables."""
    text, mutations = TEXTS[language], simulated["mutations"]
    first = next(iter(compiled["mechanisms"].values()))["kernels"]
    architectures = ", ".join(next(iter(first.values())))
    head = ["---", "id: kernel-tests", f"title: {text['title']}", "---", "", text["lead"], ""]
    lines = [*head, text["levels"]]
    for level in ("simulated", "compiled", "hardware", "specimen"):
        lines += ["", text[level].format(architectures=architectures)]
    lines += ["", text["head"], "|---|---|---|---|---|---|---|---|"]
    lines += [_row(name, run, compiled["mechanisms"][name]) for name, run in simulated["mechanisms"].items()]
    noticed = sum(mutation["noticed"] for mutation in mutations.values())
    second = text["mutations_lead"].format(noticed=noticed, all=len(mutations))
    lines += ["", text["mutations"], "", second, "", text["mutations_head"], "|---|---|---|"]
    lines += [
        f"| `{name}` | `{found['case']}` | {text['yes' if found['noticed'] else 'no']} |"
        for name, found in mutations.items()
    ]
    return "\n".join([*lines, ""])


def _row(name: str, run: dict[str, Any], built: dict[str, Any]) -> str:
    most = built["most"]
    cells = [name, run["cases"], f"{run['worst_error']:.1e}", run["worst_case"], len(built["kernels"])]
    return "".join(f"| `{cell}` " for cell in (*cells, most["registers"], most["shared"], most["spills"])) + "|"
